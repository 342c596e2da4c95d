/** The modal host, as it ships, against a page that sends what it likes. */
import {
  Envelope,
  type HostMethod,
  hostMethods,
  hostParams,
  knock,
  pageEvents,
  pageMethods,
  tryParse,
} from '@postern/protocol'
import fc from 'fast-check'
import type * as z from 'zod/mini'
import { init, origin, testPage } from '../../apps/modal-host/src/testing/test-page'
import { anything, fitting } from './engine/from-schema'
import { type Moves, move, patienceMs, type Step, Violation, within } from './engine/fuzz'
import { count, field, text } from './engine/read'
import { runTarget } from './engine/run-target'

const methods = Object.keys(hostMethods).filter((name): name is HostMethod => Object.hasOwn(hostMethods, name))
const of = (move: string, data: fc.Arbitrary<unknown>): fc.Arbitrary<Step> =>
  fc.record({ move: fc.constant(move), data })

const request = fc.oneof(
  ...methods.map((method) => fc.record({ method: fc.constant(method), params: fitting(hostParams[method]) })),
)
const event = fc.oneof(
  ...Object.entries(pageEvents).map(([name, schema]) => fc.record({ event: fc.constant(name), data: fitting(schema) })),
)
const hello = fc.record({
  data: fc.oneof(
    fc.record({ type: fc.constant('postern:hello'), v: fc.integer(), min: fc.integer(), sdk: fc.string() }),
    anything,
  ),
  origin: fc.constantFrom(origin, 'https://evil.example', 'null', '', `${origin}.evil.example`),
  isParent: fc.boolean(),
})

const steps = fc.oneof(
  { weight: 12, arbitrary: of('request', request) },
  { weight: 4, arbitrary: of('event', event) },
  { weight: 3, arbitrary: of('envelope', fitting(Envelope)) },
  { weight: 2, arbitrary: of('raw', anything) },
  { weight: 2, arbitrary: of('again', fc.nat(20)) },
  { weight: 2, arbitrary: of('cancel', fc.nat(20)) },
  { weight: 2, arbitrary: of('pageAnswers', anything) },
  { weight: 2, arbitrary: of('user', fc.nat(5)) },
  { weight: 1, arbitrary: of('time', fc.nat(60_000)) },
  { weight: 1, arbitrary: of('hello', hello) },
)

const reached = { connected: 0, open: 0 }

/**
 * 1. Every request that is an envelope has one answer in the end, or none if the page cancelled it, and only then one
 *    more for each time that it was sent again.
 * 2. Every message of the host is an envelope that fits the protocol: a result its method, an error the catalogue.
 * 3. A hello from elsewhere opens no link. No code runs without `init`.
 * 4. Messages that do not fit change nothing. One session in five has only those.
 * 5. After the end no listener and no timer is left.
 */
async function play(given: readonly Step[]): Promise<void> {
  const page = testPage()
  const link = watch(page)
  try {
    for (const { data } of given.filter(({ move }) => move === 'hello')) strange(page, data)
    if (page.greetings.length > 0) throw new Violation('A hello from elsewhere opened a link')
    page.hello()
    await link.call('init', init())
    const isQuiet = given.length % 5 === 0
    if (isQuiet) await changesNothing(page, link, given.filter(isUnfit))
    else for (const step of given) await link.take(step)
    await turn()
    const { connections, open } = page.host.store.getState()
    if (connections.eip155?.status === 'connected') reached.connected += 1
    if (open) reached.open += 1
    await link.settled()
  } finally {
    page.close()
  }
  await turn()
  if (page.frame.listenerCount() > 0) throw new Violation('A listener is left')
  if (page.frame.posted.some(({ message }) => message !== knock)) throw new Violation('More than a knock was posted')
}

/** The host leaves out what it does not know of the dapp's options. */
const ofOptions = new Set(['init', 'setTheme', 'setOptions'])

type Page = ReturnType<typeof testPage>
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** 4 */
async function changesNothing(page: Page, link: ReturnType<typeof watch>, unfit: readonly Step[]): Promise<void> {
  for (const _ of Array(6)) await link.call('ping')
  const read = () => [page.host.store.getState(), page.kept.size, page.opened.length, page.states.length] as const
  const before = read()
  for (const step of unfit) await link.take(step)
  for (const _ of Array(3)) await link.call('ping')
  const after = read()
  if (before.some((value, index) => value !== after[index]))
    throw new Violation('A message that does not fit changed the state')
}

function isUnfit({ move, data }: Step): boolean {
  const schemas: Readonly<Record<string, z.ZodMiniType>> = move === 'event' ? pageEvents : hostParams
  const name = text(field(data, move === 'event' ? 'event' : 'method'))
  if (move === 'raw' || move === 'envelope') return !tryParse(Envelope, data).success
  if (move !== 'request' && move !== 'event') return false
  // Of options, what is unknown is left out.
  if (ofOptions.has(name) || !Object.hasOwn(schemas, name)) return !ofOptions.has(name)
  const given = field(data, move === 'event' ? 'data' : 'params')
  const schema = schemas[name]
  return schema !== undefined && !tryParse(schema, given ?? null).success
}

/** Never from the parent with the page's own origin. */
function strange(page: Page, data: unknown): void {
  const { port1, port2 } = new MessageChannel()
  const from = text(field(data, 'origin'))
  const isParent = field(data, 'isParent') === true && from !== origin
  page.frame.receive({
    data: field(data, 'data'),
    origin: from,
    ports: [port2],
    ...(!isParent && { source: {} }),
  })
  port1.close()
  port2.close()
}

type Sent = { method: string; times: number; answers: number; isCancelled: boolean; answer?: () => void }

const waitsForUser = (name: string) =>
  Object.hasOwn(hostMethods, name) && methods.some((one) => one === name && hostMethods[one].timeout === 0)

function watch(page: Page) {
  const sent = new Map<string, Sent>()
  const ids: string[] = []
  const faults: string[] = []
  page.port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Envelope.safeParse(data)
    if (!message.success) return
    const { kind, id } = message.data
    if (kind === 'request' && !Object.hasOwn(pageMethods, message.data.method))
      faults.push(`The host asks for ${message.data.method}`)
    if (kind !== 'result' && kind !== 'error') return
    const request = sent.get(id)
    if (request === undefined) return void faults.push(`An answer to no request: ${id}`)
    request.answers += 1
    if (request.answers > request.times) faults.push(`${request.method} has ${request.answers} answers`)
    request.answer?.()
  })

  function post(message: unknown): void {
    const envelope = tryParse(Envelope, message)
    try {
      page.post(message)
    } catch {
      // No port carries it.
      return
    }
    if (!envelope.success) return
    const { id, kind } = envelope.data
    const known = sent.get(id)
    if (kind === 'cancel' && known !== undefined) known.isCancelled = true
    if (kind !== 'request') return
    if (known !== undefined) known.times += 1
    else {
      sent.set(id, { method: envelope.data.method, times: 1, answers: 0, isCancelled: false })
      ids.push(id)
    }
  }

  const nextId = () => `r${sent.size}`

  async function call(method: string, params: unknown = null): Promise<void> {
    const id = `own-${sent.size}`
    post({ v: 1, id, kind: 'request', method, params })
    const request = sent.get(id)
    if (request === undefined) throw new Violation(`${method} is no envelope`)
    await within(
      new Promise<void>((resolve) => {
        request.answer = resolve
      }),
      patienceMs,
      `${method} has no answer`,
    )
  }

  const idAt = (data: unknown) => ids[count(data) % Math.max(1, ids.length)] ?? 'none'

  const moves: Moves = {
    request: (data) =>
      post({ v: 1, id: nextId(), kind: 'request', method: field(data, 'method'), params: field(data, 'params') }),
    event: (data) =>
      post({ v: 1, id: nextId(), kind: 'event', event: field(data, 'event'), data: field(data, 'data') }),
    envelope: post,
    raw: post,
    again: (data) => post({ v: 1, id: idAt(data), kind: 'request', method: 'ping' }),
    cancel: (data) => post({ v: 1, id: idAt(data), kind: 'cancel' }),
    pageAnswers: (data) => page.setWallet(() => data),
    async user(data) {
      press(page, data)
      for (const _ of Array(4)) await turn()
    },
    async time(data) {
      page.clock.advance(Math.min(count(data), 3_600_000))
      await turn()
    },
  }

  const isAnswered = ({ method, answers, isCancelled }: Sent) => answers > 0 || isCancelled || waitsForUser(method)

  /** 1. Requests that wait for the user end when the modal closes, or with the link. */
  async function settled(): Promise<void> {
    // real time: the limit of what never ends.
    const now = () => performance.now()
    const deadline = now() + patienceMs
    do {
      await call('ping')
      page.clock.advance(5_000)
    } while (![...sent.values()].every(isAnswered) && now() < deadline)
    page.host.actions.close()
    await call('ping')
    for (const [id, request] of sent)
      if (!isAnswered(request)) throw new Violation(`${request.method} (${id}) has no answer`)
    if (faults.length > 0) throw new Violation(faults.join('; '))
  }

  return { call, take: (step: Step) => move(moves, step), settled }
}

/** What the user may do in the modal. */
function press(page: Page, data: unknown): void {
  const { actions, store } = page.host
  const [row] = store.getState().wallets
  if (data === 0 && row !== undefined) actions.connect(row)
  if (data === 1) actions.close()
  if (data === 2) actions.cancelConnect()
  if (data === 3) actions.retryConnect()
  if (data === 4) void actions.disconnect().catch(() => {})
}

runTarget({
  name: 'page-link-host',
  messages: 32_000,
  covers: ['/apps/modal-host/src/', '/packages/link/src/', '/packages/protocol/src/'],
  steps,
  play,
  reached: () => reached,
})
