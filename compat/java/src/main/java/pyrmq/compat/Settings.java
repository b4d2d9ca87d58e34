// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.rocketmq.common.MixAll;

/**
 * Prints every property of the configuration classes, one JSON object a line: those that a properties file can set (as
 * MixAll.properties2Object finds them) and those that only show in the answer to a get-config request.
 */
public final class Settings {
    private static final String[] CONFIGS = {
        "NamesrvConfig", "NettyServerConfig", "NettyClientConfig", "BrokerConfig", "store.config.MessageStoreConfig",
        "AuthConfig",
    };
    private static final Set<String> SETTABLE = Set.of(
        "int", "Integer", "long", "Long", "double", "Double", "boolean", "Boolean", "float", "Float", "String");

    /** Defaults that come from the machine. */
    private static final Map<String, String> PLACEHOLDERS = Map.of(
        "brokerIP1", "<address>", "brokerIP2", "<address>", "brokerName", "<hostname>");

    private Settings() {
    }

    public static void main(String[] args) {
        PrintStream out = System.out;
        System.setOut(System.err);
        for (String name : CONFIGS) {
            Class<?> config = Classes.find(name);
            if (config != null) {
                print(config.getSimpleName(), Classes.create(config), out);
            }
        }
        out.flush();
    }

    private static void print(String className, Object config, PrintStream out) {
        Map<String, String> types = new TreeMap<>();
        for (Field field : Classes.fields(config.getClass())) {
            types.put(field.getName(), field.getType().getSimpleName());
        }
        Map<String, String> settable = settable(config.getClass());
        types.putAll(settable);
        Properties defaults = MixAll.object2Properties(config);
        types.forEach((name, type) -> out.println(Json.write(Json.object(
            "class", className,
            "name", name,
            "type", type,
            "default", PLACEHOLDERS.getOrDefault(name, defaults.getProperty(name)),
            "settable", settable.containsKey(name)))));
    }

    private static Map<String, String> settable(Class<?> type) {
        Map<String, String> found = new TreeMap<>();
        for (Method method : type.getMethods()) {
            String name = method.getName();
            if (name.startsWith("set") && name.length() > 3 && method.getParameterCount() > 0) {
                String parameter = method.getParameterTypes()[0].getSimpleName();
                if (SETTABLE.contains(parameter)) {
                    found.put(name.substring(3, 4).toLowerCase() + name.substring(4), parameter);
                }
            }
        }
        return found;
    }
}
