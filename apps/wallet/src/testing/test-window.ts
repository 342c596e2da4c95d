/** The wallet window as the frame sees it. */
import type { WalletWindowPurpose } from '@postern/protocol'
import { expect, onTestFinished } from 'vitest'
import {
  parseWindowAnswer,
  type WaitingApproval,
  type WindowAnswer,
  WindowApproval,
  WindowContext,
  type WindowPurpose,
} from '../window-messages'
import { type testFrame, walletOrigin } from './test-frame'

type Frame = ReturnType<typeof testFrame>

export async function ticketOf(frame: Frame, purpose: WalletWindowPurpose): Promise<string> {
  const { uri } = await frame.ask('GET_WINDOW_URI', { purpose })
  const url = new URL(uri)
  expect(url.origin + url.pathname).toBe(`${walletOrigin}/window`)
  expect(url.searchParams.get('projectId')).toBe('demo')
  expect(url.searchParams.get('purpose')).toBe(purpose)
  return url.searchParams.get('ticket') ?? ''
}

export function openWindow(frame: Frame, hello: unknown, from: { origin?: string } = {}) {
  const { port1, port2 } = new MessageChannel()
  const received: unknown[] = []
  let woken = () => {}
  port1.onmessage = ({ data }) => {
    received.push(data)
    woken()
  }
  onTestFinished(() => port1.close())
  frame.window.post({ data: hello, origin: from.origin ?? walletOrigin, ports: [port2] })
  let nextId = 1

  async function until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        woken = resolve
      })
    }
  }

  return {
    port: port1,
    received,
    context: () =>
      until(() => received.map((data) => WindowContext.safeParse(data)).find(({ success }) => success)?.data),
    /** Resolves when the newest one that the frame sent satisfies `is`. */
    approval: (is: (approval: WaitingApproval | null) => boolean) =>
      until(() => {
        const sent = received.flatMap((data) => WindowApproval.safeParse(data).data ?? [])
        const last = sent.at(-1)
        return last !== undefined && is(last.approval) ? last : undefined
      }).then(({ approval }) => approval),
    async ask(name: string, payload?: unknown): Promise<WindowAnswer> {
      const id = String(nextId++)
      port1.postMessage({ kind: 'ask', id, name, payload })
      return until(() => received.map(parseWindowAnswer).find((answer) => answer?.id === id) ?? undefined)
    },
  }
}

export const hello = (purpose: WindowPurpose, ticket: string) => ({
  type: 'postern:window-hello',
  v: 1,
  projectId: 'demo',
  purpose,
  ticket,
})

export async function openedWindow(frame: Frame, purpose: WalletWindowPurpose) {
  const window = openWindow(frame, hello(purpose, await ticketOf(frame, purpose)))
  return { ...window, first: await window.context() }
}
