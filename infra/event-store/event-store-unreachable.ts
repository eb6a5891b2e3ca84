/** The event store cannot be reached or does not answer. Trying later can succeed without anybody mending anything. */
export class EventStoreUnreachable extends Error {
  override name = "EventStoreUnreachable";
}
