// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.remoting.protocol.RemotingSerializable;

/** JSON bodies: every serializable class of the protocol and the values inside them. */
final class BodyCases {
    /** Parts of bodies that have no encode method of their own, but are worth a line. */
    private static final String[] PARTS = {
        "common.TopicConfig", "SubscriptionGroupConfig", "heartbeat.ProducerData", "heartbeat.ConsumerData",
        "heartbeat.SubscriptionData", "route.QueueData", "route.BrokerData", "body.Connection", "body.QueueTimeSpan",
        "body.ConsumeQueueData", "body.ProducerInfo", "body.BrokerStatsItem", "admin.OffsetWrapper",
        "admin.TopicOffset", "message.MessageQueue",
    };

    /** How the name server asks for standard JSON: 4.9 with fastjson, 5.x with fastjson2. */
    private static final String[] STANDARD_4 = {
        "BrowserCompatible", "QuoteFieldNames", "SkipTransientField", "MapSortField"};
    private static final String[] STANDARD_5 = {"BrowserCompatible", "MapSortField"};

    private BodyCases() {
    }

    static List<Object> all() {
        Set<Class<?>> types = new LinkedHashSet<>(Classes.below(RemotingSerializable.class));
        for (String part : PARTS) {
            types.add(Classes.named(part));
        }
        List<Object> lines = new ArrayList<>();
        for (Class<?> type : types) {
            lines.add(line(type, "full", Filler.full(type)));
            Filler.empty(type).ifPresent(body -> lines.add(line(type, "empty", body)));
        }
        return lines;
    }

    private static Map<String, Object> line(Class<?> type, String variant, Object body) {
        Map<String, Object> line = Json.object(
            "class", type.getSimpleName(),
            "package", type.getPackage().getName(),
            "variant", variant,
            "text", text(body),
            "pretty", RemotingSerializable.toJson(body, true));
        switch (type.getSimpleName()) {
            case "TopicRouteData":
                line.put("standard", standard(body));
                break;
            case "RegisterBrokerBody":
                line.put("compressed", Classes.call(body, "encode", true));
                break;
            case "TopicConfig":
                line.put("encoded", Classes.call(body, "encode"));
                break;
            default:
                break;
        }
        return line;
    }

    private static String text(Object body) {
        byte[] bytes = body instanceof RemotingSerializable
            ? ((RemotingSerializable) body).encode()
            : RemotingSerializable.encode(body);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static String standard(Object body) {
        Method encode = null;
        for (Method method : RemotingSerializable.class.getMethods()) {
            if (method.getName().equals("encode") && method.isVarArgs()) {
                encode = method;
            }
        }
        Class<?> feature = encode.getParameterTypes()[0].getComponentType();
        String[] names = feature.getName().contains("fastjson2") ? STANDARD_5 : STANDARD_4;
        Object features = Array.newInstance(feature, names.length);
        for (int i = 0; i < names.length; i++) {
            Array.set(features, i, Enum.valueOf((Class) feature, names[i]));
        }
        Method method = encode;
        return new String((byte[]) Classes.attempt(() -> method.invoke(body, features)), StandardCharsets.UTF_8);
    }
}
