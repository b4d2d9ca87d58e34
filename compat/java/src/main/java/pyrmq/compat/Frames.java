// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Map;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.remoting.CommandCustomHeader;
import org.apache.rocketmq.remoting.netty.NettyEncoder;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.SerializeType;

/** Whole frames, as a RocketMQ process puts them on the wire. */
final class Frames {
    private Frames() {
    }

    /** A request with everything that varies from run to run fixed. */
    static RemotingCommand request(int code, CommandCustomHeader header) {
        RemotingCommand command = RemotingCommand.createRequestCommand(code, header);
        command.setVersion(MQVersion.CURRENT_VERSION);
        command.setOpaque(7);
        return command;
    }

    /** The encoder of the Netty pipeline, which is not always the same as RemotingCommand.encode. */
    static byte[] encode(RemotingCommand command, SerializeType type) {
        command.setSerializeTypeCurrentRPC(type);
        ByteBuf out = Unpooled.buffer();
        Classes.attempt(() -> {
            new NettyEncoder().encode(null, command, out);
            return null;
        });
        byte[] frame = new byte[out.readableBytes()];
        out.readBytes(frame);
        return frame;
    }

    /** Decodes what follows the length field, as the pipeline's decoder does. */
    static RemotingCommand decode(byte[] frame) throws Exception {
        return RemotingCommand.decode(java.nio.ByteBuffer.wrap(frame, 4, frame.length - 4).slice());
    }

    static Map<String, Object> describe(RemotingCommand command) {
        return Json.object(
            "code", command.getCode(),
            "flag", command.getFlag(),
            "language", command.getLanguage(),
            "opaque", command.getOpaque(),
            "version", command.getVersion(),
            "remark", command.getRemark(),
            "ext", command.getExtFields(),
            "body", command.getBody());
    }
}
