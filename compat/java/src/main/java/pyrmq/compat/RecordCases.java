// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.rocketmq.common.UtilAll;
import org.apache.rocketmq.common.compression.CompressionType;
import org.apache.rocketmq.common.compression.CompressorFactory;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.sysflag.MessageSysFlag;

/** Stored message records: as the commit log has them, and as MessageDecoder.encode writes them. */
final class RecordCases {
    private static final byte[] BODY = "Hello RocketMQ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LONG_BODY = "compress me, ".repeat(100).getBytes(StandardCharsets.UTF_8);

    private final StoreEncoder plain = new StoreEncoder(false);
    private final List<Object> lines = new ArrayList<>();

    static List<Object> all() {
        RecordCases cases = new RecordCases();
        cases.hosts();
        cases.contents();
        cases.flags();
        cases.compression();
        if (StoreEncoder.isModern()) {
            cases.modern();
        }
        return cases.lines;
    }

    private void hosts() {
        SocketAddress v4 = address(new byte[] {10, 1, 2, (byte) 200}, 51234);
        byte[] bytes = new byte[16];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (0x20 + i);
        }
        SocketAddress v6 = address(bytes, 65535);
        add("born-v4-store-v4", m -> m.setBornHost(v4));
        add("born-v6-store-v4", m -> {
            m.setBornHost(v6);
            m.setBornHostV6Flag();
        });
        add("born-v4-store-v6", m -> {
            m.setStoreHost(v6);
            m.setStoreHostAddressV6Flag();
        });
        add("born-v6-store-v6", m -> {
            m.setBornHost(v6);
            m.setBornHostV6Flag();
            m.setStoreHost(v6);
            m.setStoreHostAddressV6Flag();
        });
    }

    private void contents() {
        add("empty-body", m -> m.setBody(new byte[0]));
        addStored("no-body", plain, m -> m.setBody(null));
        add("no-properties", m -> { });
        add("topic-1", m -> m.setTopic("T"));
        add("topic-127", m -> m.setTopic("T".repeat(127)));
        add("keys-and-tags", m -> {
            m.setTags("TagA");
            m.setKeys("key-1 key-2");
            m.putUserProperty("user", "value");
        });
        add("unicode-properties", m -> m.putUserProperty("\u540d\u79f0", "\u503c \u00e9 \ud83d\ude00"));
        add("many-properties", m -> {
            for (int i = 0; i < 30; i++) {
                m.putUserProperty("property" + i * 7, "value-" + i);
            }
        });
        add("binary-body", m -> {
            byte[] all = new byte[256];
            for (int i = 0; i < all.length; i++) {
                all[i] = (byte) i;
            }
            m.setBody(all);
        });
    }

    private void flags() {
        add("user-flag", m -> m.setFlag(-559038737));
        add("retried", m -> m.setReconsumeTimes(16));
        add("large-offsets", m -> {
            m.setQueueId(Integer.MAX_VALUE);
            m.setQueueOffset(Long.MAX_VALUE);
            m.setCommitLogOffset(1L << 40);
        });
        add("prepared", m -> m.setSysFlag(MessageSysFlag.TRANSACTION_PREPARED_TYPE));
        add("committed", m -> {
            m.setSysFlag(MessageSysFlag.TRANSACTION_COMMIT_TYPE);
            m.setPreparedTransactionOffset(123_456_789_012L);
        });
        add("rolled-back", m -> {
            m.setSysFlag(MessageSysFlag.TRANSACTION_ROLLBACK_TYPE);
            m.setPreparedTransactionOffset(1);
        });
        add("multi-tags", m -> m.setSysFlag(MessageSysFlag.MULTI_TAGS_FLAG));
    }

    private void compression() {
        for (CompressionType type : CompressionType.values()) {
            compressed("compressed-" + type.name().toLowerCase(), type, type.getCompressionFlag());
        }
        compressed("compressed-zlib-without-type", CompressionType.ZLIB, 0);
    }

    private void compressed(String name, CompressionType type, int typeFlag) {
        int flags = MessageSysFlag.COMPRESSED_FLAG | typeFlag;
        addStored(name, plain, m -> {
            m.setSysFlag(flags);
            m.setBody(Classes.attempt(() -> CompressorFactory.getCompressor(type).compress(LONG_BODY, 5)));
        });
        addClient(name, m -> {
            m.setSysFlag(flags);
            m.setBody(LONG_BODY);
        });
    }

    private void modern() {
        addStored("topic-128", plain, m -> m.setTopic("T".repeat(128)));
        addStored("topic-200-unicode", plain, m -> m.setTopic("\u4e3b\u9898".repeat(100)));
        StoreEncoder withChecksum = new StoreEncoder(true);
        addStored("checksum-property", withChecksum, m -> m.setTags("TagA"));
        addStored("checksum-property-alone", withChecksum, m -> { });
    }

    private void add(String name, Consumer<MessageExt> change) {
        addStored(name, plain, change);
        addClient(name, change);
    }

    private void addStored(String name, StoreEncoder encoder, Consumer<MessageExt> change) {
        MessageExt message = prepare(StoreEncoder.newMessage(), change);
        lines.add(line(name, "store", encoder.encode(message)));
    }

    private void addClient(String name, Consumer<MessageExt> change) {
        MessageExt message = prepare(new MessageExt(), change);
        lines.add(line(name, "client", Classes.attempt(() -> MessageDecoder.encode(message, true))));
    }

    private static MessageExt prepare(MessageExt message, Consumer<MessageExt> change) {
        message.setTopic("TopicTest");
        message.setBody(BODY);
        message.setQueueId(3);
        message.setQueueOffset(42);
        message.setCommitLogOffset(4096);
        message.setBornTimestamp(Filler.FIXED_TIME);
        message.setStoreTimestamp(Filler.FIXED_TIME + 5);
        message.setBornHost(address(new byte[] {127, 0, 0, 1}, 50001));
        message.setStoreHost(address(new byte[] {(byte) 192, (byte) 168, 0, 1}, 10911));
        change.accept(message);
        message.setBodyCRC(UtilAll.crc32(message.getBody()));
        return message;
    }

    private static Map<String, Object> line(String name, String source, byte[] record) {
        MessageExt decoded = MessageDecoder.decode(ByteBuffer.wrap(record));
        return Json.object("name", name, "source", source, "hex", record, "value", describe(decoded));
    }

    /** All fields of a decoded message; null where RocketMQ could not decode it. */
    static Map<String, Object> describe(MessageExt message) {
        if (message == null) {
            return null;
        }
        return Json.object(
            "msgId", message.getMsgId(),
            "storeSize", message.getStoreSize(),
            "bodyCRC", message.getBodyCRC(),
            "queueId", message.getQueueId(),
            "flag", message.getFlag(),
            "queueOffset", message.getQueueOffset(),
            "commitLogOffset", message.getCommitLogOffset(),
            "sysFlag", message.getSysFlag(),
            "bornTimestamp", message.getBornTimestamp(),
            "bornHost", describe(message.getBornHost()),
            "storeTimestamp", message.getStoreTimestamp(),
            "storeHost", describe(message.getStoreHost()),
            "reconsumeTimes", message.getReconsumeTimes(),
            "preparedTransactionOffset", message.getPreparedTransactionOffset(),
            "body", message.getBody(),
            "topic", message.getTopic(),
            "properties", message.getProperties() == null ? null : new TreeMap<>(message.getProperties()));
    }

    /** Address bytes and port; text forms of IPv6 addresses differ between languages. */
    static Map<String, Object> describe(SocketAddress address) {
        InetSocketAddress inet = (InetSocketAddress) address;
        return Json.object("ip", inet.getAddress().getAddress(), "port", inet.getPort());
    }

    static SocketAddress address(byte[] ip, int port) {
        return Classes.attempt(() -> new InetSocketAddress(InetAddress.getByAddress(ip), port));
    }
}
