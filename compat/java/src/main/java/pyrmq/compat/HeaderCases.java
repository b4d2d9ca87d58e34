// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.rocketmq.remoting.CommandCustomHeader;
import org.apache.rocketmq.remoting.annotation.CFNotNull;
import org.apache.rocketmq.remoting.annotation.CFNullable;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.SerializeType;

/** Every header class: its fields, and frames with all of them set and with none. */
final class HeaderCases {
    private static final int CODE = 1;

    private HeaderCases() {
    }

    static List<Object> all() {
        List<Object> lines = new ArrayList<>();
        for (Class<?> found : Classes.below(CommandCustomHeader.class)) {
            Class<? extends CommandCustomHeader> type = found.asSubclass(CommandCustomHeader.class);
            lines.add(line(type, "full", () -> printable(Filler.full(type))));
            if (Filler.empty(type).isPresent()) {
                lines.add(line(type, "empty", () -> Filler.empty(type).orElseThrow()));
            }
        }
        return lines;
    }

    private static Map<String, Object> line(
        Class<?> type, String variant, Supplier<? extends CommandCustomHeader> header) {
        RemotingCommand json = Frames.request(CODE, header.get());
        byte[] jsonFrame = Frames.encode(json, SerializeType.JSON);
        return Json.object(
            "class", type.getSimpleName(),
            "package", type.getPackage().getName(),
            "variant", variant,
            "fields", fields(type),
            "ext", json.getExtFields(),
            "json", jsonFrame,
            "binary", Frames.encode(Frames.request(CODE, header.get()), SerializeType.ROCKETMQ));
    }

    /** Clears fields that would be sent as class name and address in memory, which no peer can use. */
    private static CommandCustomHeader printable(CommandCustomHeader header) {
        for (Field field : Classes.fields(header.getClass())) {
            Classes.attempt(() -> {
                Object value = field.get(header);
                if (value != null && value.toString().matches("(?s).*[A-Za-z]@[0-9a-f]+.*")) {
                    field.set(header, null);
                }
                return null;
            });
        }
        return header;
    }

    private static List<Object> fields(Class<?> type) {
        List<Object> fields = new ArrayList<>();
        for (Field field : Classes.fields(type)) {
            fields.add(Json.object(
                "name", field.getName(),
                "type", field.getType().getSimpleName(),
                "notNull", field.isAnnotationPresent(CFNotNull.class),
                "nullable", field.isAnnotationPresent(CFNullable.class)));
        }
        return fields;
    }
}
