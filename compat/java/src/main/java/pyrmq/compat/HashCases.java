// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Java's string hash and the iteration order of its hash map: both are visible in RocketMQ's formats. */
final class HashCases {
    private HashCases() {
    }

    static List<Object> all() {
        List<Object> lines = new ArrayList<>();
        String[] texts = {
            "", "a", "ab", "TagA", "TagB", "*", "TagA || TagB", "\u0000", "\u00e9", "\u6f22\u5b57", "\ud83d\ude00",
            "x\ud83d\ude00y", "\ud83d", "\ude00", "Aa", "BB", "polygenelubricants", "z".repeat(5000), " ", "\uffff",
        };
        for (String text : texts) {
            lines.add(Json.object("kind", "hash", "text", text, "hash", text.hashCode()));
        }
        for (int size : new int[] {0, 1, 2, 5, 12, 13, 24, 25, 48, 49, 100}) {
            lines.add(order(keys(size), null));
            lines.add(order(keys(size), 128));
        }
        lines.add(order(Arrays.asList("Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa"), null));
        lines.add(order(colliding(), null));
        lines.add(order(Arrays.asList("KEYS", "TAGS", "WAIT", "UNIQ_KEY", "CLUSTER", "MSG_REGION", "TRACE_ON"), null));
        lines.add(order(Arrays.asList("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"), null));
        return lines;
    }

    /** Sixteen keys of one hash: enough for a bucket that wants to become a tree. */
    private static List<String> colliding() {
        List<String> keys = new ArrayList<>();
        for (int bits = 0; bits < 16; bits++) {
            StringBuilder key = new StringBuilder();
            for (int i = 0; i < 4; i++) {
                key.append((bits >> i & 1) == 0 ? "Aa" : "BB");
            }
            keys.add(key.toString());
        }
        return keys;
    }

    private static List<String> keys(int size) {
        String[] stems = {"topic", "consumerGroup", "q", "subVersion", "\u4e3b\u9898", "\ud83d\ude00"};
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            keys.add(stems[i % stems.length] + i * 7);
        }
        return keys;
    }

    private static Map<String, Object> order(List<String> keys, Integer capacity) {
        Map<String, String> map = capacity == null ? new HashMap<>() : new HashMap<>(capacity);
        for (String key : keys) {
            map.put(key, key);
        }
        return Json.object("kind", "order", "capacity", capacity, "keys", keys, "order", new ArrayList<>(map.keySet()));
    }
}
