// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.nio.ByteBuffer;
import org.apache.rocketmq.common.UtilAll;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * The encoder in front of the commit log: CommitLog.MessageExtEncoder in 4.9, MessageExtEncoder in 5.x. What the
 * commit log fills in at the moment of writing (queue offset, physical offset, checksum property) is filled in here,
 * with RocketMQ's own functions where it has them.
 */
final class StoreEncoder {
    private static final int MAX_BODY = 1024 * 1024;
    private static final int LONGEST_V1_TOPIC = 127;

    private final Object encoder;
    private final boolean checksum;

    StoreEncoder(boolean checksum) {
        this.checksum = checksum;
        Class<?> modern = Classes.find("store.MessageExtEncoder");
        if (modern == null) {
            encoder = Classes.create(Classes.named("store.CommitLog$MessageExtEncoder"), MAX_BODY);
        } else {
            MessageStoreConfig config = new MessageStoreConfig();
            config.setMaxMessageSize(MAX_BODY);
            Classes.call(config, "setEnabledAppendPropCRC", checksum);
            encoder = Classes.create(modern, config);
        }
    }

    /** Version 2 records and checksum properties came with 5.x. */
    static boolean isModern() {
        return Classes.find("MessageVersion") != null;
    }

    static MessageExt newMessage() {
        return (MessageExt) Classes.create(Classes.named("MessageExtBrokerInner"));
    }

    byte[] encode(MessageExt message) {
        chooseVersion(message);
        Classes.call(message, "setPropertiesString",
            MessageDecoder.messageProperties2String(message.getProperties()));
        Object refusal = Classes.call(encoder, "encode", message);
        if (refusal != null) {
            throw new IllegalStateException("refused: " + refusal);
        }
        ByteBuffer buffer = (ByteBuffer) Classes.call(encoder, "getEncoderBuffer");
        byte[] record = new byte[buffer.getInt(0)];
        buffer.get(record);
        ByteBuffer view = ByteBuffer.wrap(record);
        view.putLong(MessageDecoder.QUEUE_OFFSET_POSITION, message.getQueueOffset());
        view.putLong(MessageDecoder.PHY_POS_POSITION, message.getCommitLogOffset());
        if (checksum) {
            appendChecksum(record);
        }
        return record;
    }

    /** All records of a batch, one after the other; offsets stay 0 because the commit log sets them per record. */
    byte[] encodeBatch(MessageExt batch) {
        chooseVersion(batch);
        Class<?> modern = Classes.find("store.PutMessageContext");
        Class<?> context = modern != null ? modern : Classes.named("store.CommitLog$PutMessageContext");
        ByteBuffer buffer = (ByteBuffer) Classes.call(encoder, "encode", batch, Classes.create(context, "key"));
        byte[] records = new byte[buffer.remaining()];
        buffer.get(records);
        return records;
    }

    private static void appendChecksum(byte[] record) {
        int reserved = (Integer) Classes.attempt(
            () -> Classes.named("store.CommitLog").getField("CRC32_RESERVED_LEN").get(null));
        int size = record.length - reserved;
        ByteBuffer tail = ByteBuffer.wrap(record, size, reserved);
        Classes.attempt(() -> MessageDecoder.class.getMethod("createCrc32", ByteBuffer.class, int.class)
            .invoke(null, tail, UtilAll.crc32(record, 0, size)));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void chooseVersion(MessageExt message) {
        Class<?> version = Classes.find("MessageVersion");
        if (version != null) {
            boolean isLong = message.getTopic().length() > LONGEST_V1_TOPIC;
            String name = isLong ? "MESSAGE_VERSION_V2" : "MESSAGE_VERSION_V1";
            Classes.call(message, "setVersion", Enum.valueOf((Class) version, name));
        }
    }
}
