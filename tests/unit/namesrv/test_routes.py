# SPDX-License-Identifier: Apache-2.0
"""The rules of the route tables, as read from `RouteInfoManager` 5.5.0; interop tests compare with it."""

from pyrmq.namesrv.routes import (
    BrokerKey,
    MinIdChange,
    Registered,
    Registration,
    Routes,
    Unregistration,
    in_zone,
)
from pyrmq.wire.bodies.data_version import DataVersion
from pyrmq.wire.bodies.route import QueueData
from pyrmq.wire.bodies.static_topic import TopicQueueMappingInfo
from pyrmq.wire.bodies.topic import TopicConfig

NOW = 1_700_000_000_000


def registration(
    name: str = "broker-a",
    broker_id: int = 0,
    address: str = "10.0.0.1:10911",
    *,
    topics: tuple[TopicConfig, ...] | None = None,
    version: int = 1,
    state_version: int = 0,
    acting_master: bool | None = False,
    filter_servers: list[str] | None = None,
    expiry_ms: int | None = None,
    zone: str | None = None,
    mappings: dict[str, TopicQueueMappingInfo] | None = None,
) -> Registration:
    if topics is None:
        topics = (topic("TopicA"), topic("TopicB"))
    return Registration(
        key=BrokerKey("DefaultCluster", address),
        broker_name=name,
        broker_id=broker_id,
        ha_address=address.replace("10911", "10912"),
        data_version=DataVersion(counter=version, state_version=state_version),
        topics={each.topic_name: each for each in topics},
        queue_mappings=mappings or {},
        filter_servers=filter_servers,
        expiry_ms=expiry_ms,
        acting_master=acting_master,
        zone=zone,
    )


def topic(name: str, queues: int = 4, perm: int = 6, flags: int = 0) -> TopicConfig:
    return TopicConfig(
        topic_name=name, read_queue_nums=queues, write_queue_nums=queues, perm=perm, topic_sys_flag=flags
    )


def routes(*registrations: Registration, **options: bool) -> Routes:
    made = Routes(**options)
    for each in registrations:
        assert made.register(each, each.key, NOW) is not None
    return made


SLAVE = registration(broker_id=1, address="10.0.0.2:10911")


def test_a_registered_broker_has_routes() -> None:
    made = routes(registration())
    route = made.route("TopicA")
    assert route is not None
    assert [broker.broker_addrs for broker in route.broker_datas] == [{0: "10.0.0.1:10911"}]
    assert route.queue_datas == [
        QueueData(broker_name="broker-a", read_queue_nums=4, write_queue_nums=4, perm=6)
    ]
    assert made.route("TopicX") is None
    assert made.clusters == {"DefaultCluster": {"broker-a"}}


def test_routes_are_copies() -> None:
    made = routes(registration())
    route = made.route("TopicA")
    assert route is not None
    route.broker_datas[0].broker_addrs.clear()
    assert made.brokers["broker-a"].broker_addrs


def test_a_slave_learns_its_master_and_adds_no_topics() -> None:
    made = routes(registration())
    slave = registration(broker_id=1, address="10.0.0.2:10911", topics=(topic("Other"), topic("More")))
    assert made.register(slave, None, NOW) == Registered("10.0.0.1:10911", "10.0.0.1:10912")
    assert made.route("Other") is None
    route = made.route("TopicA")
    assert route is not None
    assert route.broker_datas[0].broker_addrs == {0: "10.0.0.1:10911", 1: "10.0.0.2:10911"}


def test_unchanged_versions_leave_topics_alone() -> None:
    made = routes(registration())
    made.wipe_write_permission("broker-a")
    made.register(registration(), None, NOW)
    assert made.topics["TopicA"]["broker-a"].perm == 4
    made.register(registration(version=2), None, NOW)
    assert made.topics["TopicA"]["broker-a"].perm == 6


def test_a_single_topic_does_not_make_a_broker() -> None:
    made = Routes()
    alone = registration(topics=(topic("TopicA"),))
    assert made.register(alone, None, NOW) is None
    made.register(registration(), None, NOW)
    assert made.register(registration(topics=(topic("TopicC"),), version=2), None, NOW) is not None
    assert made.route("TopicC") is not None


def test_an_older_state_does_not_displace_a_newer_one() -> None:
    made = routes(registration(state_version=5))
    rival = registration(address="10.0.0.9:10911", state_version=4)
    assert made.register(rival, None, NOW) == Registered()
    assert made.brokers["broker-a"].broker_addrs == {0: "10.0.0.1:10911"}
    newer = registration(address="10.0.0.9:10911", state_version=6)
    made.register(newer, None, NOW)
    assert made.brokers["broker-a"].broker_addrs == {0: "10.0.0.9:10911"}


def test_a_slave_that_became_master_has_one_id() -> None:
    made = routes(registration(), SLAVE)
    made.register(registration(broker_id=0, address="10.0.0.2:10911", version=2), None, NOW)
    assert made.brokers["broker-a"].broker_addrs == {0: "10.0.0.2:10911"}


def test_leaving_removes_everything() -> None:
    made = routes(registration(filter_servers=["fs:1"]))
    made.unregister([Unregistration(BrokerKey("DefaultCluster", "10.0.0.1:10911"), "broker-a", 0)])
    tables = (made.topics, made.brokers, made.clusters, made.live, made.filter_servers)
    assert tables == ({}, {}, {}, {}, {})


def test_leaving_of_one_keeps_the_other() -> None:
    made = routes(registration(), registration("broker-b", address="10.0.0.3:10911"))
    made.unregister([Unregistration(BrokerKey("DefaultCluster", "10.0.0.1:10911"), "broker-a", 0)])
    assert set(made.topics["TopicA"]) == {"broker-b"}
    assert made.clusters == {"DefaultCluster": {"broker-b"}}


def test_the_group_is_told_about_a_new_lowest_id() -> None:
    made = routes(
        registration(acting_master=True),
        registration(broker_id=1, address="10.0.0.2:10911", acting_master=True),
    )
    leaving = Unregistration(BrokerKey("DefaultCluster", "10.0.0.1:10911"), "broker-a", 0)
    told = MinIdChange(1, "10.0.0.2:10911", "10.0.0.1:10911", None, ("10.0.0.2:10911",))
    assert made.unregister([leaving]) == [told]
    back = made.register(registration(acting_master=True, version=2), None, NOW)
    assert back is not None
    assert back.change == MinIdChange(0, "10.0.0.1:10911", None, "10.0.0.1:10912", ("10.0.0.2:10911",))


def test_an_acting_master_reads_but_does_not_write() -> None:
    made = routes(
        registration(acting_master=True),
        registration(broker_id=2, address="10.0.0.2:10911", acting_master=True),
        acting_master=True,
    )
    made.unregister([Unregistration(BrokerKey("DefaultCluster", "10.0.0.1:10911"), "broker-a", 0)])
    route = made.route("TopicA")
    assert route is not None
    assert route.queue_datas[0].perm == 4
    assert route.broker_datas[0].broker_addrs == {0: "10.0.0.2:10911"}
    made.acting_master = False
    plain = made.route("TopicA")
    assert plain is not None
    assert plain.broker_datas[0].broker_addrs == {2: "10.0.0.2:10911"}


def test_a_lone_slave_of_a_modern_broker_brings_its_topics() -> None:
    made = routes(registration(broker_id=1, acting_master=True))
    assert made.topics["TopicA"]["broker-a"].perm == 4
    old = routes(registration(broker_id=1, acting_master=None))
    assert old.topics == {}


def test_topics_missing_from_a_registration_can_be_dropped() -> None:
    fewer = registration(topics=(topic("TopicB"), topic("TopicC")), version=2)
    kept, dropped = routes(registration()), routes(registration(), delete_missing_topics=True)
    for made in (kept, dropped):
        made.register(fewer, None, NOW)
    assert set(kept.topics) == {"TopicA", "TopicB", "TopicC"}
    assert set(dropped.topics) == {"TopicB", "TopicC"}


def test_expiry_follows_the_brokers_own_time() -> None:
    made = routes(registration(), registration("broker-b", address="10.0.0.3:10911", expiry_ms=10_000))
    assert made.expired(NOW + 10_000) == []
    assert made.expired(NOW + 10_001) == [BrokerKey("DefaultCluster", "10.0.0.3:10911")]
    made.touch(BrokerKey("DefaultCluster", "10.0.0.3:10911"), NOW + 115_000)
    assert made.expired(NOW + 120_001) == [BrokerKey("DefaultCluster", "10.0.0.1:10911")]
    assert made.departures(made.expired(NOW + 120_001)) == [
        Unregistration(BrokerKey("DefaultCluster", "10.0.0.1:10911"), "broker-a", 0)
    ]


def test_write_permission_goes_and_comes() -> None:
    made = routes(registration(topics=(topic("TopicA", perm=7), topic("TopicB"))))
    assert made.wipe_write_permission("broker-a") == 2
    assert made.topics["TopicA"]["broker-a"].perm == 5
    assert made.add_write_permission("broker-a") == 2
    assert made.topics["TopicA"]["broker-a"].perm == 6
    assert made.wipe_write_permission("nobody") == 0


def test_topics_are_deleted_everywhere_or_in_a_cluster() -> None:
    made = routes(registration())
    made.delete_topic("TopicA", "OtherCluster")
    assert "TopicA" in made.topics
    made.delete_topic("TopicA", "DefaultCluster")
    assert "TopicA" not in made.topics
    made.delete_topic("TopicB")
    assert made.topics == {}


def test_single_topics_need_known_brokers() -> None:
    made = routes(registration())
    queues = [QueueData(broker_name="broker-a"), QueueData(broker_name="nobody")]
    made.register_topic("TopicN", queues)
    assert "TopicN" not in made.topics
    made.register_topic("TopicN", queues[:1])
    assert set(made.topics["TopicN"]) == {"broker-a"}
    made.register_topic("TopicE", [])
    assert "TopicE" not in made.topics


def test_filter_servers_are_served_and_forgotten() -> None:
    made = routes(registration(filter_servers=["10.0.0.1:30000"]))
    route = made.route("TopicA")
    assert route is not None
    assert route.filter_server_table == {"10.0.0.1:10911": ["10.0.0.1:30000"]}
    made.register(registration(filter_servers=[]), None, NOW)
    assert made.filter_servers == {}


def test_queue_mappings_are_served() -> None:
    mapping = TopicQueueMappingInfo(topic="TopicA", broker_name="broker-a", total_queues=4)
    made = routes(registration(mappings={"TopicA": mapping}))
    route = made.route("TopicA")
    assert route is not None
    assert route.topic_queue_mapping_by_broker == {"broker-a": mapping}


def test_zones_hide_each_other() -> None:
    made = routes(registration(zone="east"), registration("broker-b", address="10.0.0.3:10911", zone="west"))
    route = made.route("TopicA")
    assert route is not None
    near = in_zone(route, "EAST")
    assert [broker.broker_name for broker in near.broker_datas] == ["broker-a"]
    assert [queues.broker_name for queues in near.queue_datas] == ["broker-a"]


def test_topic_lists() -> None:
    made = routes(
        registration(topics=(topic("Unit", flags=1), topic("Sub", flags=2), topic("Both", flags=3)))
    )
    assert made.topics_by_flag(present=1) == ["Unit", "Both"]
    assert made.topics_by_flag(present=2) == ["Sub", "Both"]
    assert made.topics_by_flag(present=2, absent=1) == ["Sub"]
    assert made.topics_of_cluster("DefaultCluster") == ["Unit", "Sub", "Both"]
    assert made.topics_of_cluster("none") == []
    assert made.system_topics() == (["DefaultCluster", "broker-a"], "10.0.0.1:10911")
