import { setImmediate } from 'node:timers/promises'
import type { ApprovalSubject } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createKnownAddresses } from '../../approval/description/known-addresses'
import type { DrawingHandlers, DrawnApproval } from '../../approval/drawing'
import type { Warning } from '../../intent/intent'
import { createApprovals } from '../../signing/approvals'
import { newStorage, testFrame, testLadder, testPage } from '../../testing/test-frame'
import { createApprovalPlaces } from './approval-places'
import { createApprovalScreen } from './approval-screen'

async function asking(count = 1, options: Parameters<typeof testFrame>[0] = {}) {
  const frame = testFrame(options)
  await frame.signIn()
  const sent = Array.from({ length: count }, () =>
    frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x'] }),
  )
  for (const _ of sent) await frame.notice('APPROVAL_REQUEST')
  const [first = { id: '', reply: Promise.resolve(null) }, second = first] = sent
  return { ...frame, first, second }
}

describe('createApprovalScreen', () => {
  it('1. draws only a request that waits, from the bytes that the frame prepared', async () => {
    const frame = await asking()
    await expect(frame.ask('SHOW_APPROVAL', { id: 'another' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(frame.screen.shown).toBeNull()
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id, asker: 'visitor' })
    expect(frame.screen.shown).toMatchObject({
      request: { id: frame.first.id, subject: { kind: 'eip155.message' }, origin: 'https://app.example' },
      network: { name: 'Ethereum' },
      asker: 'visitor',
      queued: 1,
      isSigning: false,
    })
    await frame.ask('REJECT', { id: frame.first.id })
    expect(frame.screen.shown).toBeNull()
  })

  it('2. a press approves exactly what is on screen', async () => {
    const frame = await asking(2)
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id })
    const stale = frame.screen.shown?.request
    await frame.ask('SHOW_APPROVAL', { id: frame.second.id })
    if (stale !== undefined) frame.screen.handlers?.onApprove(stale)
    expect(frame.screen.shown).toMatchObject({ request: { id: frame.second.id }, isSigning: false, queued: 2 })
    await frame.approve(frame.second.id)
    expect(await frame.notice('APPROVED')).toEqual({ name: 'APPROVED', id: frame.second.id })
    expect(await frame.second.reply).toMatchObject({ ok: true })
    await frame.ask('REJECT', { id: frame.first.id })
    expect(await frame.first.reply).toMatchObject({ ok: false })
  })

  it('3. what was hidden cannot be approved', async () => {
    const frame = await asking()
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id })
    const drawn = frame.screen.shown?.request
    await frame.ask('HIDE_APPROVAL', undefined)
    expect(frame.screen.shown).toBeNull()
    if (drawn !== undefined) frame.screen.handlers?.onApprove(drawn)
    await frame.ask('REJECT', { id: frame.first.id })
    expect(await frame.first.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
  })

  it('4. an approved request stays on screen until it is hidden', async () => {
    const frame = await asking()
    await frame.approve(frame.first.id)
    await frame.first.reply
    expect(frame.screen.shown).toMatchObject({ request: { id: frame.first.id }, isSigning: true })
    await frame.ask('HIDE_APPROVAL', undefined)
    expect(frame.screen.shown).toBeNull()
  })

  describe('6. the counterparties of a request', () => {
    const mallory = '0x2222222222222222222222222222222222222222'
    const of = { userId: 'alice', request: { networkId: 'eip155:1', origin: 'https://app.example' } } as const

    async function pressed(warnings: readonly Warning[] = []) {
      const known = createKnownAddresses(testLadder(newStorage()))
      const approvals = createApprovals(() => {})
      let handlers: DrawingHandlers | undefined
      const drawn: { shown: DrawnApproval | null } = { shown: null }
      const screen = createApprovalScreen({
        page: testPage,
        approvals,
        places: createApprovalPlaces({
          approvals,
          page: testPage,
          origin: { around: () => testPage.allowedOrigins },
          textSize: { isTooSmall: () => false, subscribe: () => () => {} },
          spending: { spentCents: async () => 0, spend: async () => true },
          dollarsFor: async () => 1,
        }),
        window: { open: () => {}, state: () => 'closed' },
        known,
        describe: async (_request, _signal, onIntent) => {
          const steps = [{ kind: 'transfer', to: mallory, amount: { raw: '1' } }] as const
          onIntent({ steps, warnings, fee: null, changes: { kind: 'unknown' }, raw: [] })
        },
        userId: async () => 'alice',
        notify: () => {},
        loadDrawing: async (given) => {
          handlers = given
          return {
            draw: (shown) => {
              drawn.shown = shown !== null && 'request' in shown ? shown : null
            },
            setLook: async () => {},
            end: () => {},
          }
        },
      })
      const subject: ApprovalSubject = {
        kind: 'eip155.transaction',
        from: '0x1111111111111111111111111111111111111111',
        nonce: '0',
        unsigned: '0x02',
        fees: { gas: '1' },
        call: { to: mallory, value: '1', data: '0x' },
      }
      const asked = { id: '1', method: 'eth_sendTransaction', ...of.request, prepare: async () => ({ subject }) }
      const approved = approvals.ask(asked, new AbortController().signal)
      await expect.poll(() => approvals.waiting()).toHaveLength(1)
      await screen.show({ id: '1' })
      await expect.poll(() => drawn.shown?.intent).toBeTruthy()
      const { request } = drawn.shown ?? {}
      if (request !== undefined) handlers?.onApprove(request)
      await approved
      return { screen, list: () => known.list(of) }
    }

    it('are unknown when Approve is pressed, and if the request fails', async () => {
      const { screen, list } = await pressed()
      expect((await list()).recipients).toEqual([])
      screen.settled('1', false)
      screen.settled('1', true)
      expect((await list()).recipients).toEqual([])
    })

    it('are known once it was sent', async () => {
      const { screen, list } = await pressed()
      screen.settled('1', true)
      await expect.poll(async () => (await list()).recipients).toEqual([mallory])
    })

    it('stay unknown if its simulation failed', async () => {
      const { screen, list } = await pressed([{ kind: 'wouldFail' }])
      screen.settled('1', true)
      await setImmediate()
      expect((await list()).recipients).toEqual([])
    })
  })

  it('declines inside the frame, and reports its height and its exits', async () => {
    const frame = await asking()
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id })
    const drawn = frame.screen.shown?.request
    frame.screen.handlers?.onHeight('another', 1)
    frame.screen.handlers?.onHeight(frame.first.id, 320)
    expect(await frame.notice('SCREEN_HEIGHT')).toMatchObject({ id: frame.first.id, height: 320 })
    frame.screen.handlers?.onLeft('escape')
    expect(await frame.notice('FRAME_LEFT')).toMatchObject({ by: 'escape' })
    if (drawn !== undefined) frame.screen.handlers?.onReject(drawn)
    expect(await frame.first.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
  })

  it('5. takes no font and no mix, which could make it unreadable', async () => {
    const frame = await asking()
    const hostile = { font: 'Webdings', mix: 'rgb(0 0 0 / 0)', mixStrength: 50, radius: 2, accent: '#123456' }
    await frame.ask('SYNC_THEME', { themeMode: 'dark', themeVariables: hostile })
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id })
    expect(frame.screen.look?.theme).toEqual({ accent: '#123456', radius: 2 })
  })

  it('follows the theme and the language, before and after the drawing has loaded', async () => {
    const frame = await asking()
    await frame.ask('SYNC_THEME', { themeMode: 'dark', locale: 'de', themeVariables: { accent: '#6d4aff' } })
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id })
    expect(frame.screen.look).toEqual({ mode: 'dark', locale: 'de', theme: { accent: '#6d4aff' } })
    await frame.ask('SYNC_THEME', { themeMode: 'light', themeVariables: { mode: 'evil', accent: 1 } })
    expect(frame.screen.look).toEqual({ mode: 'light', locale: 'de', theme: {} })
  })

  it('reports code that does not load, and tries again', async () => {
    const frame = testFrame()
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.screen.fails = true
    await expect(frame.ask('CONNECT_OTP', undefined)).rejects.toMatchObject({ code: 'LOAD_FAILED' })
    frame.screen.fails = false
    frame.send('CONNECT_OTP', undefined)
    await frame.when(() => frame.screen.code ?? undefined)
  })

  it('ends its drawing with the link', async () => {
    const frame = await asking(1, { storage: newStorage() })
    await frame.ask('SHOW_APPROVAL', { id: frame.first.id })
    frame.end()
    expect(frame.screen.ended).toBe(1)
  })
})
