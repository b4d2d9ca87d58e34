// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import com.alibaba.fastjson.JSON;
import com.alibaba.fastjson.JSONObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.rocketmq.common.compression.CompressionType;
import org.apache.rocketmq.common.compression.CompressorFactory;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;

/** Answers questions, one JSON object a line each way, until its input ends. */
public final class Oracle {
    private Oracle() {
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(Json.write(answerOrError(line)));
            out.flush();
        }
    }

    private static Map<String, Object> answerOrError(String line) {
        try {
            return answer(JSON.parseObject(line));
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            return Json.object("error", e.toString());
        }
    }

    private static Map<String, Object> answer(JSONObject question) throws Exception {
        switch (question.getString("op")) {
            case "decompress":
                CompressionType type = CompressionType.of(question.getString("type").toUpperCase());
                return Json.object("hex", CompressorFactory.getCompressor(type).decompress(bytes(question)));
            case "decode_frame":
                return Frames.describe(Frames.decode(bytes(question)));
            case "decode_record":
                MessageExt message = MessageDecoder.decode(ByteBuffer.wrap(bytes(question)));
                if (message == null) {
                    throw new IllegalArgumentException("not a record");
                }
                return RecordCases.describe(message);
            case "hash":
                return Json.object("hash", question.getString("text").hashCode());
            case "properties":
                return MessageCases.readProperties(question.getString("text"));
            default:
                throw new IllegalArgumentException("unknown op " + question.getString("op"));
        }
    }

    private static byte[] bytes(JSONObject question) {
        return Hex.decode(question.getString("hex"));
    }
}
