// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.compression.CompressionType;
import org.apache.rocketmq.common.compression.CompressorFactory;

/** Payloads packed by RocketMQ's compressors. */
final class CompressionCases {
    /** The level that producers use unless told otherwise. */
    private static final int DEFAULT_LEVEL = 5;

    private CompressionCases() {
    }

    static List<Object> all() {
        byte[] noise = new byte[2000];
        int state = 12345;
        for (int i = 0; i < noise.length; i++) {
            state = state * 1103515245 + 12345;
            noise[i] = (byte) (state >> 16);
        }
        List<Object> lines = new ArrayList<>();
        for (CompressionType type : CompressionType.values()) {
            add(lines, "empty", new byte[0], type, DEFAULT_LEVEL);
            add(lines, "one", new byte[] {42}, type, DEFAULT_LEVEL);
            add(lines, "text", utf8("Hello RocketMQ, \u4f60\u597d, hello again"), type, DEFAULT_LEVEL);
            add(lines, "noise", noise, type, DEFAULT_LEVEL);
            for (int level : new int[] {1, DEFAULT_LEVEL, 9}) {
                add(lines, "repeated", utf8("0123456789abcdef".repeat(300)), type, level);
            }
        }
        return lines;
    }

    private static void add(List<Object> lines, String name, byte[] payload, CompressionType type, int level) {
        lines.add(Json.object(
            "name", name,
            "type", type.name().toLowerCase(),
            "level", level,
            "payload", payload,
            "compressed", Classes.attempt(() -> CompressorFactory.getCompressor(type).compress(payload, level))));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
