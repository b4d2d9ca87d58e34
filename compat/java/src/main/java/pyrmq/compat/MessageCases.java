// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.common.UtilAll;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageId;

/** The smaller formats around messages: batches, property strings, ids. */
final class MessageCases {
    private MessageCases() {
    }

    // ---- batches

    static List<Object> batches() {
        Message plain = message(0, "one");
        Message tagged = message(7, "two", "TAGS", "TagA", "KEYS", "k1 k2", "UNIQ_KEY", "7F0000010001");
        Message unicode = message(-1, "\u4e09 \ud83d\ude00", "\u540d\u79f0", "\u503c");
        Message empty = message(1, "", "WAIT", "false");
        return Arrays.asList(
            batch("one", Collections.singletonMap("CLUSTER", "c"), plain),
            batch("several", Collections.singletonMap("CLUSTER", "c"), plain, tagged, unicode),
            batch("no-batch-properties", Collections.emptyMap(), plain, tagged),
            batch("empty-body", Collections.emptyMap(), empty, tagged));
    }

    private static Map<String, Object> batch(String name, Map<String, String> batchProperties, Message... messages) {
        byte[] encoded = MessageDecoder.encodeMessages(Arrays.asList(messages));
        List<Object> inputs = new ArrayList<>();
        for (Message message : messages) {
            inputs.add(Json.object(
                "flag", message.getFlag(),
                "body", message.getBody(),
                "properties", message.getProperties()));
        }
        return Json.object(
            "name", name,
            "messages", inputs,
            "hex", encoded,
            "batchProperties", batchProperties,
            "stored", stored(encoded, batchProperties));
    }

    /** What the broker's encoder makes of the batch, offsets still 0. */
    private static byte[] stored(byte[] encoded, Map<String, String> properties) {
        MessageExt batch = (MessageExt) Classes.create(Classes.named("MessageExtBatch"));
        batch.setTopic("TopicTest");
        batch.setQueueId(3);
        batch.setBornTimestamp(Filler.FIXED_TIME);
        batch.setStoreTimestamp(Filler.FIXED_TIME + 5);
        batch.setBornHost(RecordCases.address(new byte[] {127, 0, 0, 1}, 50001));
        batch.setStoreHost(RecordCases.address(new byte[] {127, 0, 0, 1}, 10911));
        batch.setBody(encoded);
        MessageAccessor.setProperties(batch, properties);
        return new StoreEncoder(false).encodeBatch(batch);
    }

    private static Message message(int flag, String body, String... namesAndValues) {
        Message message = new Message("TopicTest", body.getBytes(StandardCharsets.UTF_8));
        message.setFlag(flag);
        MessageAccessor.setProperties(message, ordered(namesAndValues));
        return message;
    }

    // ---- property strings

    static List<Object> properties() {
        List<Object> lines = new ArrayList<>();
        lines.add(writeProperties(null));
        lines.add(writeProperties(Collections.emptyMap()));
        lines.add(writeProperties(ordered("KEYS", "k1")));
        lines.add(writeProperties(ordered("TAGS", "TagA", "KEYS", "k1 k2", "WAIT", "true")));
        lines.add(writeProperties(ordered("a", "", "b", null, "", "c", "\u540d", "\u503c \ud83d\ude00")));
        Map<String, String> hashed = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            hashed.put("property" + i * 7, "v" + i);
        }
        lines.add(writeProperties(hashed));
        // '=' stands for character 1 between name and value, ';' for character 2 between entries
        String[] texts = {
            "", "a", "a=", "=b", "a=b", "a=b;", "a=b;c=d", "a=b;c=d;", "a=b;;c=d", ";a=b", ";;;", "a=;c=d",
            "=b;c=d", "ab;c=d", "abc;d=e;", "a=b=c", "a=b=c;d=e", "a=b;a=c", "key=value with spaces;",
            "\u540d=\u503c;", "a=\ud83d\ude00", "a=b;x", "a=b;xy;zzz;", "abc", "abcdef;g=h", "a==", "a==b",
            "==b",
        };
        for (String text : texts) {
            lines.add(readProperties(text.replace('=', (char) 1).replace(';', (char) 2)));
        }
        return lines;
    }

    private static Map<String, Object> writeProperties(Map<String, String> properties) {
        return Json.object(
            "kind", "write",
            "properties", properties,
            "text", MessageDecoder.messageProperties2String(properties));
    }

    static Map<String, Object> readProperties(String text) {
        return Json.object(
            "kind", "read",
            "text", text,
            "properties", new TreeMap<>(MessageDecoder.string2messageProperties(text)));
    }

    private static Map<String, String> ordered(String... namesAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    // ---- ids

    static List<Object> ids() {
        byte[] v4 = {10, 1, 2, (byte) 200};
        byte[] v6 = new byte[16];
        v6[0] = 0x20;
        v6[1] = 0x01;
        v6[15] = 0x7f;
        byte[] zero = new byte[16];
        List<Object> lines = new ArrayList<>();
        for (long offset : new long[] {0, 4096, 1L << 40, Long.MAX_VALUE}) {
            lines.add(offsetId(v4, 10911, offset));
            lines.add(offsetId(v6, 10911, offset));
        }
        lines.add(offsetId(new byte[4], 0, 0));
        lines.add(offsetId(zero, 65535, 1));
        for (byte[] ip : new byte[][] {v4, v6, zero, {127, 0, 0, 1}}) {
            lines.add(uniqueId(ip, 4321, 0x18B4AAC2, 5_000, 0));
            lines.add(uniqueId(ip, 65535, -1, 86_400_000, 0xFFFF));
        }
        return lines;
    }

    private static Map<String, Object> offsetId(byte[] ip, int port, long offset) {
        String id = MessageDecoder.createMessageId(RecordCases.address(ip, port), offset);
        MessageId decoded = Classes.attempt(() -> MessageDecoder.decodeMessageId(id));
        return Json.object(
            "kind", "offset",
            "id", id,
            "address", RecordCases.describe(decoded.getAddress()),
            "offset", decoded.getOffset());
    }

    /** Put together from parts as MessageClientIDSetter does, because its own come from this process; read by it. */
    private static Map<String, Object> uniqueId(byte[] ip, int pid, int loader, int millisInMonth, int counter) {
        ByteBuffer parts = ByteBuffer.allocate(ip.length + 12);
        parts.put(ip).putShort((short) pid).putInt(loader).putInt(millisInMonth).putShort((short) counter);
        String id = UtilAll.bytes2string(parts.array());
        Calendar time = Calendar.getInstance();
        time.setTime(MessageClientIDSetter.getNearlyTimeFromID(id));
        long seen = time.getTimeInMillis();
        time.set(time.get(Calendar.YEAR), time.get(Calendar.MONTH), 1, 0, 0, 0);
        time.set(Calendar.MILLISECOND, 0);
        return Json.object(
            "kind", "unique",
            "id", id,
            "ip", MessageClientIDSetter.getIPStrFromID(id),
            "pid", MessageClientIDSetter.getPidFromID(id),
            "loader", loader,
            "millisInMonth", seen - time.getTimeInMillis(),
            "counter", counter);
    }
}
