// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Builds RocketMQ value objects with every field set, the same way on every run: values depend only on the
 * order in which fields are declared, and the first string is not ASCII. One Filler fills one object.
 */
final class Filler {
    /** What stands for any clock reading. */
    static final long FIXED_TIME = 1_700_000_000_000L;

    private static final long CLOCK_SLACK_MS = 3_600_000;
    private static final int MAX_DEPTH = 6;
    private static final int ENTRIES = 3;
    private static final String[] KEYS = {"TopicTest", "%RETRY%group-a", "broker-b"};

    private int sequence;
    private int strings;

    /** A new instance with every field set. */
    static <T> T full(Class<T> type) {
        Filler filler = new Filler();
        T object = type.cast(filler.instance(type, 0));
        filler.fill(object, 0);
        return object;
    }

    /**
     * A new instance as its shortest constructor leaves it when given nothing, clock readings replaced; none where the
     * constructor insists on its arguments.
     */
    static <T> Optional<T> empty(Class<T> type) {
        Constructor<?> constructor = shortestConstructor(type);
        Object[] nothing = Stream.of(constructor.getParameterTypes()).map(Filler::nothing).toArray();
        try {
            T object = type.cast(constructor.newInstance(nothing));
            freeze(object);
            return Optional.of(object);
        } catch (InvocationTargetException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fill(Object bean, int depth) {
        for (Field field : Classes.fields(bean.getClass())) {
            Classes.attempt(() -> {
                fill(bean, field, depth);
                return null;
            });
        }
    }

    private void fill(Object bean, Field field, int depth) throws IllegalAccessException {
        Object current = field.get(bean);
        Object value = value(field.getGenericType(), field.getName(), depth);
        if (value == null) {
            return;
        }
        if (!Modifier.isFinal(field.getModifiers())) {
            field.set(bean, value);
        } else if (current instanceof Map) {
            putAll((Map<?, ?>) current, (Map<?, ?>) value);
        } else if (current instanceof Collection) {
            addAll((Collection<?>) current, (Collection<?>) value);
        } else if (current instanceof AtomicLong) {
            ((AtomicLong) current).set(((AtomicLong) value).get());
        }
    }

    private Object value(Type type, String name, int depth) {
        Class<?> raw = raw(type);
        int n = ++sequence;
        if (raw == String.class || raw == Object.class) {
            return name + "-" + (strings++ == 0 ? "\u00e9\u6f22\u5b57\ud83d\ude00" : n);
        } else if (raw == int.class || raw == Integer.class) {
            return 1000 + n;
        } else if (raw == long.class || raw == Long.class) {
            return 10_000_000_000L + n;
        } else if (raw == short.class || raw == Short.class) {
            return (short) n;
        } else if (raw == byte.class || raw == Byte.class) {
            return (byte) n;
        } else if (raw == double.class || raw == Double.class) {
            return n + 0.5;
        } else if (raw == float.class || raw == Float.class) {
            return n + 0.5f;
        } else if (raw == boolean.class || raw == Boolean.class) {
            return true;
        } else if (raw == AtomicLong.class) {
            return new AtomicLong(n);
        } else if (raw == AtomicInteger.class) {
            return new AtomicInteger(n);
        } else if (raw == AtomicBoolean.class) {
            return new AtomicBoolean(true);
        } else if (raw == BitSet.class) {
            return BitSet.valueOf(new long[] {0b1010_0110});
        } else if (raw == byte[].class) {
            return new byte[] {1, 2, (byte) n};
        } else if (raw.isEnum()) {
            return raw.getEnumConstants()[n % raw.getEnumConstants().length];
        } else if (Map.class.isAssignableFrom(raw)) {
            return map(raw, type, name, depth);
        } else if (Collection.class.isAssignableFrom(raw)) {
            return collection(raw, type, name, depth);
        } else if (raw.isArray()) {
            Object array = Array.newInstance(raw.getComponentType(), 1);
            Array.set(array, 0, value(raw.getComponentType(), name, depth + 1));
            return array;
        } else if (raw.getName().startsWith("org.apache.rocketmq.") && depth < MAX_DEPTH
            && !Modifier.isAbstract(raw.getModifiers())) {
            Object bean = instance(raw, depth);
            fill(bean, depth + 1);
            return bean;
        }
        return null;
    }

    private Map<?, ?> map(Class<?> raw, Type type, String name, int depth) {
        Type keyType = argument(type, 0);
        Map<Object, Object> map = raw == Properties.class ? new Properties()
            : SortedMap.class.isAssignableFrom(raw) ? new TreeMap<>()
            : ConcurrentMap.class.isAssignableFrom(raw) ? new ConcurrentHashMap<>()
            : hasStableHash(raw(keyType)) && raw != LinkedHashMap.class ? new HashMap<>()
            : new LinkedHashMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            Object key = key(keyType, i, depth);
            Object value = value(argument(type, 1), name, depth + 1);
            if (key != null && value != null) {
                map.put(key, value);
            }
        }
        return map;
    }

    private Object key(Type type, int i, int depth) {
        Class<?> raw = raw(type);
        return raw == String.class ? KEYS[i]
            : raw == Long.class ? (Object) (long) i
            : raw == Integer.class ? (Object) i
            : value(type, "key", depth + 1);
    }

    private Collection<?> collection(Class<?> raw, Type type, String name, int depth) {
        Type itemType = argument(type, 0);
        Collection<Object> items = SortedSet.class.isAssignableFrom(raw) ? new TreeSet<>()
            : !raw.isAssignableFrom(HashSet.class) || raw.isAssignableFrom(ArrayList.class) ? new ArrayList<>()
            : hasStableHash(raw(itemType)) ? new HashSet<>()
            : new LinkedHashSet<>();
        for (int i = 0; i < ENTRIES; i++) {
            Object item = value(itemType, name, depth + 1);
            if (item != null) {
                items.add(item);
            }
        }
        return items;
    }

    /** Enums and plain objects hash by identity, so their place in a hash table changes from run to run. */
    private static boolean hasStableHash(Class<?> type) {
        return type == String.class || Number.class.isAssignableFrom(type);
    }

    private Object instance(Class<?> type, int depth) {
        Constructor<?> constructor = shortestConstructor(type);
        Object[] arguments = Stream.of(constructor.getGenericParameterTypes())
            .map(parameter -> value(parameter, "argument", depth + 1))
            .toArray();
        return Classes.attempt(() -> constructor.newInstance(arguments));
    }

    private static Constructor<?> shortestConstructor(Class<?> type) {
        Constructor<?> shortest = Stream.of(type.getDeclaredConstructors())
            .filter(constructor -> !Arrays.asList(constructor.getParameterTypes()).contains(type))
            .min(Comparator.comparing(Constructor::getParameterCount))
            .orElseThrow(() -> new IllegalStateException("no constructor: " + type));
        shortest.setAccessible(true);
        return shortest;
    }

    private static Object nothing(Class<?> type) {
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }

    private static void freeze(Object bean) {
        for (Field field : Classes.fields(bean.getClass())) {
            Classes.attempt(() -> {
                Object value = field.get(bean);
                if (value instanceof Long && Math.abs((Long) value - System.currentTimeMillis()) < CLOCK_SLACK_MS) {
                    field.set(bean, FIXED_TIME);
                } else if (value != null && !(value instanceof Enum)) {
                    freeze(value);
                }
                return null;
            });
        }
    }

    private static Class<?> raw(Type type) {
        return type instanceof Class ? (Class<?>) type
            : type instanceof ParameterizedType ? (Class<?>) ((ParameterizedType) type).getRawType()
            : Object.class;
    }

    private static Type argument(Type type, int index) {
        return type instanceof ParameterizedType ? ((ParameterizedType) type).getActualTypeArguments()[index]
            : String.class;
    }

    @SuppressWarnings("unchecked")
    private static void putAll(Map<?, ?> target, Map<?, ?> source) {
        ((Map<Object, Object>) target).putAll((Map<Object, Object>) source);
    }

    @SuppressWarnings("unchecked")
    private static void addAll(Collection<?> target, Collection<?> source) {
        ((Collection<Object>) target).addAll((Collection<Object>) source);
    }
}
