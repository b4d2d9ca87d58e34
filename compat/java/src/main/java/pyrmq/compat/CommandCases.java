// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.rocketmq.remoting.protocol.LanguageCode;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.SerializeType;

/** Frames that show each part of a command by itself. */
final class CommandCases {
    private static final String UNICODE = "\u00e9\u00df \u6f22\u5b57 \ud83d\ude00";
    private static final String ESCAPES = "\"quote\" back\\slash /slash \b\f\n\r\t\u0000\u0001\u001f\u007f"
        + "\u0080\u009f\u00a0\u00ad\u2028\u2029\ufeff\uffff <tag> & 'single'";
    private static final byte[] BODY = "{\"body\":1}".getBytes(StandardCharsets.UTF_8);

    private final List<Object> lines = new ArrayList<>();

    static List<Object> all() {
        CommandCases cases = new CommandCases();
        cases.kinds();
        cases.remarks();
        cases.extFields();
        cases.numbers();
        for (LanguageCode language : LanguageCode.values()) {
            cases.add("language-" + language, c -> c.setLanguage(language));
        }
        return cases.lines;
    }

    private void kinds() {
        add("request", c -> { });
        add("request-with-body", c -> c.setBody(BODY));
        add("request-with-empty-body", c -> c.setBody(new byte[0]));
        add("oneway", RemotingCommand::markOnewayRPC);
        add("response", c -> {
            c.setCode(0);
            c.markResponseType();
        });
        add("response-with-everything", c -> {
            c.setCode(0);
            c.markResponseType();
            c.setRemark("done");
            c.addExtField("msgId", "7F00000100002A9F0000000000000000");
            c.addExtField("queueId", "3");
            c.addExtField("queueOffset", "42");
            c.setBody(BODY);
        });
    }

    private void remarks() {
        add("remark-empty", c -> c.setRemark(""));
        add("remark-ascii", c -> c.setRemark("not set any response code"));
        add("remark-unicode", c -> c.setRemark(UNICODE));
        add("remark-escapes", c -> c.setRemark(ESCAPES));
        add("remark-lone-surrogate", c -> c.setRemark("a\ud83db"));
        add("remark-long", c -> c.setRemark("0123456789".repeat(1000)));
    }

    private void extFields() {
        add("ext-empty", c -> c.setExtFields(new HashMap<>()));
        add("ext-one", c -> c.addExtField("topic", "TopicTest"));
        add("ext-empty-value", c -> c.addExtField("topic", ""));
        add("ext-empty-key", c -> c.addExtField("", "value"));
        add("ext-null-value", c -> c.addExtField("topic", null));
        add("ext-unicode", c -> c.addExtField(UNICODE, UNICODE));
        add("ext-escapes", c -> c.addExtField(ESCAPES, ESCAPES));
        for (int size : new int[] {2, 12, 13, 24, 25, 50, 100, 200}) {
            add("ext-plain-map-" + size, c -> {
                HashMap<String, String> map = new HashMap<>();
                fill(size, map::put);
                c.setExtFields(map);
            });
            add("ext-added-" + size, c -> fill(size, c::addExtField));
        }
    }

    /** Names of different lengths and shapes, so that hash order is not insertion order. */
    private static void fill(int size, java.util.function.BiConsumer<String, String> put) {
        String[] stems = {"topic", "consumerGroup", "q", "subVersion", "UNIQ_KEY", "\u4e3b\u9898"};
        for (int i = 0; i < size; i++) {
            put.accept(stems[i % stems.length] + i * 7, String.valueOf(i));
        }
    }

    private void numbers() {
        for (int opaque : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            add("opaque-" + opaque, c -> c.setOpaque(opaque));
        }
        for (int code : new int[] {0, -1, 32767, 32768, 65535, 200050}) {
            add("code-" + code, c -> c.setCode(code));
        }
        for (int version : new int[] {0, -1, 32767, 40000}) {
            add("version-" + version, c -> c.setVersion(version));
        }
        for (int flag : new int[] {3, 4, -1}) {
            add("flag-" + flag, c -> c.setFlag(flag));
        }
    }

    private void add(String name, Consumer<RemotingCommand> change) {
        RemotingCommand json = Frames.request(105, null);
        RemotingCommand binary = Frames.request(105, null);
        change.accept(json);
        change.accept(binary);
        Map<String, Object> value = Frames.describe(json);
        lines.add(Json.object(
            "name", name,
            "json", Frames.encode(json, SerializeType.JSON),
            "binary", Frames.encode(binary, SerializeType.ROCKETMQ),
            "value", value));
    }
}
