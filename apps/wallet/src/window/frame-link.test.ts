import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WindowContext } from '../window-messages'
import { type FindOptions, type FrameTree, findFrame, Unanswered } from './frame-link'

const origin = 'https://wallet.example'
const ticket = 'T'.repeat(43)
const context: WindowContext = {
  kind: 'context',
  purpose: 'export',
  projectName: 'Demo',
  origin: 'https://dapp.example',
  user: null,
  storage: 'frame',
  recovery: null,
  addresses: null,
}

type Post = { readonly message: unknown; readonly target: string; readonly port: MessagePort | undefined }
type Frame = FrameTree & { readonly posts: Post[] }

/** As seen across origins; `onPost` gets only deliverable messages. */
function frameAt(
  its: string,
  onPost: (post: Post) => void = () => undefined,
  children: readonly FrameTree[] = [],
): Frame {
  const posts: Post[] = []
  return {
    ...children,
    posts,
    length: children.length,
    postMessage(message, target, transfer = []) {
      const [port] = transfer
      const post = { message, target, port: port instanceof MessagePort ? port : undefined }
      posts.push(post)
      if (target === its) onPost(post)
    },
  }
}

function options(opener: FrameTree | null): FindOptions {
  // real time: as the window waits. Tests that reach its end fake it.
  const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
  return { opener, origin, projectId: 'demo', purpose: 'export', ticket, wait }
}

async function found(opener: FrameTree) {
  const result = await findFrame(options(opener))
  if ('failure' in result) throw new Error(`The frame was not found: ${result.failure}`)
  return result.link
}

const greets = ({ port }: Post) => port?.postMessage(context)
afterEach(() => vi.useRealTimers())

describe('finding the frame', () => {
  it('1. says hello only to frames of its own origin, with the ticket', async () => {
    const wallet = frameAt(origin, greets)
    const stranger = frameAt('https://evil.example', () => {
      throw new Error('A stranger heard the hello')
    })
    const link = await found(frameAt('https://modal.example', undefined, [stranger, wallet]))
    expect(wallet.posts[0]?.message).toEqual({
      type: 'postern:window-hello',
      v: 1,
      projectId: 'demo',
      purpose: 'export',
      ticket,
    })
    expect([...wallet.posts, ...stranger.posts].every(({ target }) => target === origin)).toBe(true)
    expect(link.context).toEqual(context)
    link.end()
  })

  it('1. finds the frame one level deeper if the page opened the window', async () => {
    const wallet = frameAt(origin, greets)
    const link = await found(
      frameAt('https://dapp.example', undefined, [frameAt('https://modal.example', undefined, [wallet])]),
    )
    expect(link.context.purpose).toBe('export')
    link.end()
  })

  it('1. repeats the hello for a frame that loads late', async () => {
    vi.useFakeTimers()
    let isThere = false
    const wallet = frameAt(origin, (post) => isThere && greets(post))
    const finding = found(frameAt('https://modal.example', undefined, [wallet]))
    await vi.advanceTimersByTimeAsync(700)
    isThere = true
    await vi.advanceTimersByTimeAsync(2000)
    vi.useRealTimers()
    ;(await finding).end()
    expect(wallet.posts.length).toBeGreaterThan(1)
  })

  it('2. ignores a context of another purpose, and malformed ones', async () => {
    vi.useFakeTimers()
    const wallet = frameAt(origin, ({ port }) => {
      port?.postMessage({ ...context, purpose: 'unlock' })
      port?.postMessage('hello')
    })
    const finding = findFrame(options(frameAt('https://modal.example', undefined, [wallet])))
    await vi.advanceTimersByTimeAsync(25_000)
    expect(await finding).toEqual({ failure: 'lost' })
  })

  it('2. takes the context of the newest hello, whose port the frame uses', async () => {
    vi.useFakeTimers()
    const ports: MessagePort[] = []
    const wallet = frameAt(origin, ({ port }) => port && ports.push(port))
    const finding = found(frameAt('https://modal.example', undefined, [wallet]))
    await vi.advanceTimersByTimeAsync(600)
    vi.useRealTimers()
    const [first, newest] = ports
    // In flight together: the first response, and the second hello, for which the frame drops the first port.
    first?.postMessage(context)
    first?.close()
    newest?.addEventListener('message', ({ data }: MessageEvent) => {
      newest.postMessage({ kind: 'answer', id: data.id, ok: true, payload: { needsCode: true } })
    })
    newest?.start()
    newest?.postMessage(context)
    const link = await finding
    expect(await link.ask('confirm', { purpose: 'export' })).toEqual({ needsCode: true })
    link.end()
  })

  it('4. detects at once that the browser severed its opener', async () => {
    expect(await findFrame(options(null))).toEqual({ failure: 'severed' })
  })
})

describe('the link', () => {
  async function linked(answer: (ask: { id: string; name: string }, port: MessagePort) => void) {
    const heard: unknown[] = []
    const link = await found(
      frameAt('https://modal.example', undefined, [
        frameAt(origin, (post) => {
          const { port } = post
          port?.addEventListener('message', ({ data }: MessageEvent) => {
            heard.push(data)
            if (data?.kind === 'ask') answer(data, port)
          })
          port?.start()
          greets(post)
        }),
      ]),
    )
    return { link, heard }
  }

  it('3. settles an ask by its answer', async () => {
    const { link } = await linked(({ id }, port) =>
      port.postMessage({ kind: 'answer', id, ok: true, payload: { needsCode: true } }),
    )
    expect(await link.ask('confirm', { purpose: 'export' })).toEqual({ needsCode: true })
    link.end()
  })

  it('3. settles it by the frame’s failure, with the catalogue’s message', async () => {
    const { link } = await linked(({ id }, port) =>
      port.postMessage({ kind: 'answer', id, ok: false, code: 'WRONG_CODE', message: 'Wrong code' }),
    )
    await expect(link.ask('exportSource', { otp: '000000' })).rejects.toMatchObject({ code: 'WRONG_CODE' })
    link.end()
  })

  it('3. ignores the answer to another ask, and rejects one that breaks its schema', async () => {
    const { link } = await linked(({ id }, port) => {
      port.postMessage({ kind: 'answer', id: 'another', ok: true, payload: { needsCode: false } })
      port.postMessage({ kind: 'answer', id, ok: true, payload: { needsCode: 'perhaps' } })
    })
    await expect(link.ask('confirm', { purpose: 'export' })).rejects.toMatchObject({ code: 'INTERNAL' })
    link.end()
  })

  it('3. on end, rejects open asks, tells the frame, and sends nothing more', async () => {
    const { link, heard } = await linked(() => undefined)
    const asked = link.ask('confirm', { purpose: 'export' })
    link.end()
    await expect(asked).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    await expect(link.ask('done', null)).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    await expect.poll(() => heard).toContainEqual({ kind: 'bye' })
  })

  it('3. rejects open asks when the frame closes the port', async () => {
    const { link } = await linked((_ask, port) => port.close())
    await expect(link.ask('confirm', { purpose: 'export' })).rejects.toMatchObject({ code: 'LINK_CLOSED' })
  })

  it('3. rejects open and later asks once the frame says goodbye, though no browser reports the port', async () => {
    const { link } = await linked((_ask, port) => port.postMessage({ kind: 'bye' }))
    await expect(link.ask('confirm', { purpose: 'export' })).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    await expect(link.ask('done', null)).rejects.toMatchObject({ code: 'LINK_CLOSED' })
  })

  it('3. a change without an answer may have been made; one that was never sent was not', async () => {
    const { link } = await linked((_ask, port) => port.close())
    await expect(link.ask('deleteAccount', {})).rejects.toBeInstanceOf(Unanswered)
    await expect(link.ask('deleteAccount', {})).rejects.toMatchObject({ code: 'LINK_CLOSED' })
  })
})
