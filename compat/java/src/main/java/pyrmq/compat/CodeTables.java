// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.remoting.protocol.LanguageCode;

/** Names and numbers of requests, responses, languages and versions. */
final class CodeTables {
    private CodeTables() {
    }

    static Map<String, Object> all() {
        Map<String, Object> response = constants(Classes.named("RemotingSysResponseCode"));
        response.putAll(constants(Classes.named("protocol.ResponseCode")));
        Map<String, Object> language = new LinkedHashMap<>();
        for (LanguageCode code : LanguageCode.values()) {
            language.put(code.name(), code.getCode());
        }
        Map<String, Object> version = new LinkedHashMap<>();
        for (MQVersion.Version value : MQVersion.Version.values()) {
            version.put(value.name(), value.ordinal());
        }
        return Json.object(
            "request", constants(Classes.named("protocol.RequestCode")),
            "response", response,
            "language", language,
            "version", version);
    }

    private static Map<String, Object> constants(Class<?> type) {
        Map<String, Object> constants = new LinkedHashMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                constants.put(field.getName(), Classes.attempt(() -> field.get(null)));
            }
        }
        return constants;
    }
}
