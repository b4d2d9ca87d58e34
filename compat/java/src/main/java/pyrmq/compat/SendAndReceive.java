// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * A user's whole day: sends messages with keys, tags and properties, consumes them all with a push consumer,
 * and compares. Prints one JSON line; exits with 0 only if every message arrived as it was sent.
 *
 * <p>Arguments: name server, topic, number of messages, seconds to wait for them.
 */
public final class SendAndReceive {
    private static final int POLL_NAME_SERVER_MS = 1000;
    private static final int SEND_TIMEOUT_MS = 10_000;
    private static final int SEND_ATTEMPTS = 5;

    private final String nameServer;
    private final String topic;
    private final int count;
    private final Map<String, String> received = new ConcurrentHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final CountDownLatch missing;

    private SendAndReceive(String nameServer, String topic, int count) {
        this.nameServer = nameServer;
        this.topic = topic;
        this.count = count;
        this.missing = new CountDownLatch(count);
    }

    public static void main(String[] args) throws Exception {
        SendAndReceive run = new SendAndReceive(args[0], args[1], Integer.parseInt(args[2]));
        boolean isRight = run.run(Integer.parseInt(args[3]));
        // The clients' threads would take seconds to wind down, and nothing is left to do for them.
        System.out.flush();
        Runtime.getRuntime().halt(isRight ? 0 : 1);
    }

    private boolean run(int seconds) throws Exception {
        int sent = send();
        DefaultMQPushConsumer consumer = consume();
        missing.await(seconds, TimeUnit.SECONDS);
        synchronized (faults) {
            System.out.println(Json.write(Json.object(
                "sent", sent, "received", received.size(), "repeated", repeated.get(), "faults", faults)));
        }
        consumer.shutdown();
        return sent == count && received.size() == count && faults.isEmpty();
    }

    private int send() throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("producer_" + topic);
        producer.setNamesrvAddr(nameServer);
        producer.setVipChannelEnabled(false);
        producer.setPollNameServerInterval(POLL_NAME_SERVER_MS);
        producer.setSendMsgTimeout(SEND_TIMEOUT_MS);
        producer.setRetryTimesWhenSendFailed(SEND_ATTEMPTS);
        producer.start();
        int stored = 0;
        for (int i = 0; i < count; i++) {
            Message message = new Message(topic, tag(i), key(i), body(i).getBytes(StandardCharsets.UTF_8));
            message.putUserProperty("number", String.valueOf(i));
            SendResult result = producer.send(message);
            if (result.getSendStatus() == SendStatus.SEND_OK) {
                stored++;
            } else {
                fault(key(i) + " was answered with " + result.getSendStatus());
            }
        }
        producer.shutdown();
        return stored;
    }

    private DefaultMQPushConsumer consume() throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("consumer_" + topic);
        consumer.setNamesrvAddr(nameServer);
        consumer.setVipChannelEnabled(false);
        consumer.setPollNameServerInterval(POLL_NAME_SERVER_MS);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            messages.forEach(this::check);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();
        return consumer;
    }

    private void check(MessageExt message) {
        String number = message.getUserProperty("number");
        int i = number == null ? -1 : Integer.parseInt(number);
        String body = new String(message.getBody(), StandardCharsets.UTF_8);
        if (!key(i).equals(message.getKeys()) || !tag(i).equals(message.getTags())
            || !topic.equals(message.getTopic()) || !body(i).equals(body)) {
            fault(message + " with body " + body + " is not as it was sent");
        } else if (received.put(key(i), body) != null) {
            repeated.incrementAndGet();
        } else {
            missing.countDown();
        }
    }

    private void fault(String what) {
        synchronized (faults) {
            faults.add(what);
        }
    }

    private static String key(int i) {
        return "key-" + i;
    }

    private static String tag(int i) {
        return "tag" + i % 3;
    }

    private static String body(int i) {
        return "message " + i + " \u20ac\u4e2d";
    }
}
