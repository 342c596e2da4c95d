import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createRelay, type Relay } from './relay'

const topic = 'a'.repeat(64)
const other = 'b'.repeat(64)
const letter = (message: string, more = {}) => ({ topic, message, ttl: 300, tag: 1108, ...more })

let time = 1_700_000_000_000
let relay: Relay
beforeEach(() => {
  time = 1_700_000_000_000
  relay = createRelay({ now: () => time })
})

/** The test sends the acknowledgements. */
function join(client: string) {
  const heard: { id: unknown; method?: string; result?: unknown; error?: { code: number }; params?: unknown }[] = []
  const connection = relay.connect(client, (text) => heard.push(JSON.parse(text)))
  let id = 0
  return {
    heard,
    say: connection.receive,
    close: connection.close,
    call(method: string, params: unknown) {
      id += 1
      const before = heard.length
      connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      const answers = heard.slice(before).filter((answer) => answer.id === id)
      expect(answers).toHaveLength(1)
      return answers[0]
    },
    pushes: () => heard.filter(({ method }) => method === 'irn_subscription'),
    acknowledge(push: { id: unknown } | undefined) {
      connection.receive(JSON.stringify({ jsonrpc: '2.0', id: push?.id, result: true }))
    },
  }
}

const messages = (pushes: readonly { params?: unknown }[]) =>
  pushes.map(({ params }) => JSON.stringify(params).match(/"message":"([^"]*)"/)?.[1])

describe('createRelay', () => {
  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"jsonrpc":"1.0","id":1,"method":"irn_subscribe"}',
    '{"jsonrpc":"2.0","id":{},"method":"x"}',
  ])('1. %j is not a request: an error without an id', (text) => {
    const ada = join('ada')
    ada.say(text)
    expect(ada.heard).toEqual([{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request.' } }])
  })

  test.each([
    ['irn_shout', {}, -32601],
    ['constructor', {}, -32601],
    ['irn_subscribe', undefined, -32602],
    ['irn_subscribe', { topic: 'A'.repeat(64) }, -32602],
    ['irn_publish', letter('x', { ttl: 0 }), -32602],
    ['irn_publish', letter('x', { ttl: 2_592_001 }), -32602],
    ['irn_publish', letter('x'.repeat(600_000)), -32602],
    ['irn_batchSubscribe', { topics: Array.from({ length: 501 }, () => topic) }, -32602],
  ])('1. %s with invalid params is rejected with its id', (method, params, code) => {
    expect(join('ada').call(method, params)).toMatchObject({ error: { code } })
  })

  test('1. no client input makes the relay throw', () => {
    const method = fc.constantFrom(
      'irn_publish',
      'irn_subscribe',
      'irn_batchPublish',
      'irn_unsubscribe',
      'wc_approveSession',
      '__proto__',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.tuple(method, fc.jsonValue()))), (frames) => {
        const ada = join('ada')
        for (const frame of frames) {
          if (typeof frame === 'string') ada.say(frame)
          else ada.call(...frame)
        }
        ada.close()
      }),
    )
  })

  test('2. delivers a message at once to the topic’s other clients, with numeric id, publishedAt and tag', () => {
    const [ada, bob, eve] = [join('ada'), join('bob'), join('eve')]
    const id = createHash('sha256').update(`${topic}bob`).digest('hex')
    expect(bob.call('irn_subscribe', { topic })?.result).toBe(id)
    eve.call('irn_subscribe', { topic: other })
    ada.call('irn_subscribe', { topic })
    expect(ada.call('irn_publish', letter('hello'))?.result).toBe(true)
    expect(bob.pushes()).toEqual([
      {
        jsonrpc: '2.0',
        id: expect.any(Number),
        method: 'irn_subscription',
        params: { id, data: { topic, message: 'hello', publishedAt: time, tag: 1108 } },
      },
    ])
    expect([...ada.pushes(), ...eve.pushes()]).toEqual([])
  })

  test('2. a message published again after a lost connection arrives once', () => {
    const bob = join('bob')
    bob.call('irn_subscribe', { topic })
    join('ada').call('irn_publish', letter('hello'))
    join('ada').call('irn_batchPublish', { messages: [letter('hello'), letter('more')] })
    expect(messages(bob.pushes())).toEqual(['hello', 'more'])
  })

  test('3. a later subscriber gets waiting messages until acknowledged or expired', () => {
    const ada = join('ada')
    ada.call('irn_publish', letter('short', { ttl: 10 }))
    ada.call('irn_publish', letter('long'))
    const bob = join('bob')
    bob.call('irn_batchSubscribe', { topics: [topic] })
    expect(messages(bob.pushes())).toEqual(['short', 'long'])
    bob.close()

    const again = join('bob')
    again.call('irn_subscribe', { topic })
    expect(messages(again.pushes())).toEqual(['short', 'long'])
    again.acknowledge(again.pushes()[1])
    time += 10_000
    const third = join('bob')
    third.call('irn_subscribe', { topic })
    expect(third.pushes()).toEqual([])
    expect(relay.counts().waiting).toBe(1)
  })

  test('3. a client cannot acknowledge for another', () => {
    join('ada').call('irn_publish', letter('hello'))
    const bob = join('bob')
    bob.call('irn_subscribe', { topic })
    join('eve').acknowledge(bob.pushes()[0])
    const again = join('bob')
    again.call('irn_subscribe', { topic })
    expect(messages(again.pushes())).toEqual(['hello'])
  })

  test('4. fetching does not remove messages', () => {
    join('ada').call('irn_publish', letter('hello'))
    const bob = join('bob')
    const data = { topic, message: 'hello', publishedAt: time, tag: 1108 }
    expect(bob.call('irn_fetchMessages', { topic })?.result).toEqual({ messages: [data], hasMore: false })
    expect(bob.call('irn_batchFetchMessages', { topics: [other, topic] })?.result).toEqual({
      messages: [data],
      hasMore: false,
    })
    expect(bob.pushes()).toEqual([])
  })

  test('5. a proposal and its approval arrive with the tags of interop §5', () => {
    const [dapp, wallet] = [join('dapp'), join('wallet')]
    dapp.call('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'proposal', correlationId: 1 })
    wallet.call('irn_subscribe', { topic })
    expect(wallet.pushes()).toMatchObject([{ params: { data: { topic, message: 'proposal', tag: 1100 } } }])
    dapp.call('irn_subscribe', { topic: other })
    wallet.call('wc_approveSession', {
      pairingTopic: topic,
      sessionTopic: other,
      sessionProposalResponse: 'yes',
      sessionSettlementRequest: 'settle',
    })
    expect(dapp.pushes()).toMatchObject([
      { params: { data: { topic, message: 'yes', tag: 1101 } } },
      { params: { data: { topic: other, message: 'settle', tag: 1102 } } },
    ])
    dapp.call('irn_publish', { ...letter('done'), topic: other })
    expect(messages(wallet.pushes())).toEqual(['proposal', 'done'])
  })

  test('6. a client ends only its own subscription, by its id', () => {
    const [ada, bob] = [join('ada'), join('bob')]
    const id = bob.call('irn_subscribe', { topic })?.result
    bob.call('irn_unsubscribe', { topic, id: 'another' })
    ada.call('irn_batchUnsubscribe', { subscriptions: [{ topic, id }] })
    ada.call('irn_publish', letter('one'))
    bob.call('irn_batchUnsubscribe', { subscriptions: [{ topic, id }] })
    ada.call('irn_publish', letter('two'))
    expect(messages(bob.pushes())).toEqual(['one'])
  })

  test('mailboxes are bounded and drop the oldest messages first', () => {
    const ada = join('ada')
    for (let index = 0; index < 300; index++) ada.call('irn_publish', letter(`${index}`))
    expect(relay.counts().waiting).toBe(256)
    for (let index = 0; index < 4_200; index++)
      ada.call('irn_publish', { ...letter('x'), topic: index.toString(16).padStart(64, '0') })
    expect(relay.counts().waiting).toBe(4_096)
    expect(messages([...join('bob').pushes()])).toEqual([])
  })

  test('a closed socket is forgotten', () => {
    const bob = join('bob')
    bob.call('irn_subscribe', { topic })
    bob.close()
    join('ada').call('irn_publish', letter('hello'))
    expect(bob.pushes()).toEqual([])
    expect(relay.counts().connections).toBe(1)
  })
})
