// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Finds RocketMQ's classes by their short names, because 5.x moved many of them to other packages than 4.9 had, and
 * reaches their members by reflection.
 */
final class Classes {
    private static final List<String> NAMES = namesInJars();

    private Classes() {
    }

    /** The class of that short name, or null if this version has none. Add a package part where a name is ambiguous. */
    static Class<?> find(String shortName) {
        List<String> matches = NAMES.stream()
            .filter(name -> name.endsWith("." + shortName))
            .collect(Collectors.toList());
        if (matches.size() > 1) {
            throw new IllegalArgumentException("ambiguous: " + matches);
        }
        return matches.isEmpty() ? null : load(matches.get(0));
    }

    /** As {@link #find}, for a class that every version must have. */
    static Class<?> named(String shortName) {
        Class<?> found = find(shortName);
        if (found == null) {
            throw new IllegalArgumentException("no class " + shortName);
        }
        return found;
    }

    /** All concrete classes below a type in the jars that define the protocol, ordered by name. */
    static List<Class<?>> below(Class<?> type) {
        return NAMES.stream()
            .filter(name -> name.startsWith("org.apache.rocketmq.common.")
                || name.startsWith("org.apache.rocketmq.remoting."))
            .map(Classes::load)
            .filter(found -> type.isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers()))
            .collect(Collectors.toList());
    }

    /** Instance fields, those of the class itself first, then those it inherits. */
    static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = type; c != null && c.getName().startsWith("org.apache.rocketmq."); c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    /** Calls the constructor that takes exactly as many arguments, whatever its visibility. */
    static Object create(Class<?> type, Object... arguments) {
        return attempt(() -> {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (accepts(constructor.getParameterTypes(), arguments)) {
                    constructor.setAccessible(true);
                    return constructor.newInstance(arguments);
                }
            }
            throw new NoSuchMethodException(type + Arrays.toString(arguments));
        });
    }

    /** Calls a method by name and arguments, whatever its visibility. */
    static Object call(Object target, String name, Object... arguments) {
        return attempt(() -> {
            for (Class<?> c = target.getClass(); c != null; c = c.getSuperclass()) {
                for (Method method : c.getDeclaredMethods()) {
                    if (method.getName().equals(name) && accepts(method.getParameterTypes(), arguments)) {
                        method.setAccessible(true);
                        return method.invoke(target, arguments);
                    }
                }
            }
            throw new NoSuchMethodException(target.getClass() + "." + name + Arrays.toString(arguments));
        });
    }

    private static boolean accepts(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            boolean fits = types[i] == int.class ? arguments[i] instanceof Integer
                : types[i] == long.class ? arguments[i] instanceof Long
                : types[i] == boolean.class ? arguments[i] instanceof Boolean
                : types[i].isInstance(arguments[i]);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> load(String name) {
        return attempt(() -> Class.forName(name, false, Classes.class.getClassLoader()));
    }

    private static List<String> namesInJars() {
        List<String> names = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!new File(path).getName().matches("rocketmq-.*\\.jar")) {
                continue;
            }
            try (ZipFile jar = new ZipFile(path)) {
                for (ZipEntry entry : Collections.list(jar.entries())) {
                    String name = entry.getName();
                    if (name.startsWith("org/apache/rocketmq/") && name.endsWith(".class")) {
                        names.add(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(path, e);
            }
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    /** Something reflective that may throw anything. */
    interface Attempt<T> {
        T run() throws Exception;
    }

    static <T> T attempt(Attempt<T> attempt) {
        try {
            return attempt.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
