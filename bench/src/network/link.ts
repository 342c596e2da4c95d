/**
 * A model of the link between one visitor and all servers.
 *
 * 1. All connections of the visitor share one queue in each direction, first in, first out, which sends at the link's
 *    rate. A packet is at most 1,500 bytes, 52 of them headers of IP and TCP.
 * 2. A packet arrives half a round trip after the queue sent it. Its acknowledgement arrives another half later.
 * 3. A new connection sends nothing before its TCP handshake is over: one round trip.
 * 4. A connection has at most its window in flight. The window begins at 10 packets (RFC 6928) and grows by what is
 *    acknowledged (slow start), up to twice what the link holds, as BBR has it. A connection that sent nothing for
 *    longer than a retransmission timeout begins again with 10 packets (RFC 5681, section 4.1).
 *
 * Not modelled: loss, jitter, DNS, the bytes of handshake and acknowledgements of TCP, other users of the cell.
 */
import type { Events } from './events'

export type Rate = { readonly roundTripMs: number; readonly megabitsPerSecond: number }

/** One direction of a connection. */
export type Flow = {
  /** `onSent` runs when the last byte has entered the queue: until then the sender's buffer holds it. */
  send(bytes: Buffer, onSent: () => void): void
}

export type Deliver = (bytes: Buffer, time: number) => void

export type Link = { connect(toVisitor: Deliver, toServer: Deliver): { readonly down: Flow; readonly up: Flow } }

const headerBytes = 52
const payloadBytes = 1500 - headerBytes
const initialWindowBytes = 10 * payloadBytes
/** Linux waits at least this long, and the round trip, before it sends again. */
const minRetransmissionMs = 200

export function createLink(rate: Rate, events: Events): Link {
  const down = createQueue(rate)
  const up = createQueue(rate)
  return {
    connect(toVisitor, toServer) {
      const opensAt = events.now() + rate.roundTripMs
      return {
        down: createFlow({ rate, events, opensAt, queue: down, deliver: toVisitor }),
        up: createFlow({ rate, events, opensAt, queue: up, deliver: toServer }),
      }
    },
  }
}

/** Returns the time when the packet has left. */
type Queue = (payload: number, now: number) => number

function createQueue({ megabitsPerSecond }: Rate): Queue {
  const bytesPerMs = (megabitsPerSecond * 1_000_000) / 8 / 1000
  let busyUntil = 0
  return (payload, now) => {
    busyUntil = Math.max(busyUntil, now) + (payload + headerBytes) / bytesPerMs
    return busyUntil
  }
}

type FlowSetting = {
  readonly rate: Rate
  readonly events: Events
  readonly opensAt: number
  readonly queue: Queue
  readonly deliver: Deliver
}

function createFlow({ rate, events, opensAt, queue, deliver }: FlowSetting): Flow {
  const halfTripMs = rate.roundTripMs / 2
  const linkBytes = (rate.roundTripMs * rate.megabitsPerSecond * 1000) / 8
  const maxWindowBytes = Math.max(initialWindowBytes, 2 * linkBytes)
  const waiting: { bytes: Buffer; readonly onSent: () => void }[] = []
  let windowBytes = initialWindowBytes
  let inFlight = 0
  let lastSentAt = opensAt

  const sendWhatFits = (now: number) => {
    if (inFlight === 0 && now - lastSentAt > rate.roundTripMs + minRetransmissionMs) windowBytes = initialWindowBytes
    for (let first = waiting[0]; first !== undefined && inFlight < windowBytes; first = waiting[0]) {
      const packet = first.bytes.subarray(0, payloadBytes)
      first.bytes = first.bytes.subarray(packet.length)
      inFlight += packet.length
      lastSentAt = now
      const leftAt = queue(packet.length, now)
      events.at(leftAt + halfTripMs, (time) => deliver(packet, time))
      events.at(leftAt + rate.roundTripMs, (time) => {
        inFlight -= packet.length
        windowBytes = Math.min(maxWindowBytes, windowBytes + packet.length)
        sendWhatFits(time)
      })
      if (first.bytes.length === 0) {
        waiting.shift()
        first.onSent()
      }
    }
  }

  return {
    send(bytes, onSent) {
      waiting.push({ bytes, onSent })
      const now = events.now()
      if (now < opensAt) events.at(opensAt, sendWhatFits)
      else sendWhatFits(now)
    },
  }
}
