/** The wallet window as the frame sees it. */
import type { WalletFrameRequestName, WalletWindowPurpose } from '@postern/protocol'
import { expect, onTestFinished } from 'vitest'
import {
  type FramePurpose,
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
  const woken = new Set<() => void>()
  port1.onmessage = ({ data }) => {
    received.push(data)
    for (const wake of woken) wake()
    woken.clear()
  }
  onTestFinished(() => port1.close())
  frame.window.post({ data: hello, origin: from.origin ?? walletOrigin, ports: [port2] })
  let nextId = 1

  async function until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        woken.add(resolve)
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

/** The frame's card for an event. */
export async function cardOf(
  frame: Frame,
  name: Extract<WalletFrameRequestName, 'UPDATE_EMAIL_PRIMARY_OTP' | 'UPDATE_EMAIL_SECONDARY_OTP' | 'DELETE_ACCOUNT'>,
) {
  const { id, reply } = frame.send(name, undefined)
  const card = await frame.when(() => (frame.screen.code?.id === id ? frame.screen.code : undefined))
  return { id, reply, card }
}

/** The window that the frame opened last. */
export function openedByFrame(frame: Frame, purpose: FramePurpose) {
  return openWindow(frame, hello(purpose, new URL(frame.popups.at(-1) ?? '').searchParams.get('ticket') ?? ''))
}

/** Deletes the account in the window that a press on the frame's card opens. */
export async function deleteAccount(frame: Frame): Promise<void> {
  const { id, reply, card } = await cardOf(frame, 'DELETE_ACCOUNT')
  card.onSubmit(null)
  const window = openedByFrame(frame, 'deleteAccount')
  await window.context()
  const answer = await window.ask('deleteAccount', { otp: '123456' })
  if (!answer.ok) {
    await frame.ask('RPC_ABORT', { id })
    throw Object.assign(new Error(answer.message), { code: answer.code })
  }
  expect(await window.ask('done', null)).toMatchObject({ ok: true })
  expect(await reply).toMatchObject({ ok: true })
}
