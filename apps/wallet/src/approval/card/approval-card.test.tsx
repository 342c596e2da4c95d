// @vitest-environment happy-dom

import { I18nProvider } from '@lingui/react'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { createText } from '@postern/ui/locales/text'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Intent } from '../../intent/intent'
import { armingDelayMs, watchArming } from '../arming/arming'
import { ApprovalCard, type ApprovalCardProps } from './approval-card'

const friend = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const eth = (raw: string) => ({ raw, decimals: 18, symbol: 'ETH' })
const intent: Intent = {
  steps: [{ kind: 'transfer', to: friend, amount: eth('100000000000000000') }],
  warnings: [
    { kind: 'firstTimeRecipient', recipient: friend },
    { kind: 'wouldFail', reason: 'paused' },
  ],
  fee: { amount: eth('630000000000123'), sponsored: false },
  changes: { kind: 'known', changes: [{ direction: 'out', amount: eth('100000000000000000') }] },
  raw: [{ name: 'Transaction', text: '0x02f0' }],
}
const request = approvalRequest(
  {
    kind: 'eip155.transaction',
    from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    nonce: '7',
    call: { to: friend, value: '100000000000000000', data: '0x' },
    fees: { gas: '21000' },
    unsigned: '0x02',
  },
  { id: 'r1', origin: 'https://app.saltmarsh.example' },
)

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  // No layout here: without IntersectionObserver, only time arms the button.
  Reflect.deleteProperty(window, 'IntersectionObserver')
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

async function drawn(changes: Partial<ApprovalCardProps> = {}) {
  const given: ApprovalCardProps = {
    request,
    intent,
    network: { name: 'Ethereum' },
    asker: 'dapp',
    dappName: 'Saltmarsh',
    queued: 1,
    isSigning: false,
    onApprove: vi.fn(),
    onReject: vi.fn(),
    watch,
    ...changes,
  }
  const main = document.body.appendChild(document.createElement('main'))
  main.style.overflowY = 'auto'
  const root = createRoot(main)
  const text = createText()
  const set = (next: Partial<ApprovalCardProps>) =>
    act(async () =>
      root.render(
        <I18nProvider i18n={text}>
          <ApprovalCard {...given} {...next} />
        </I18nProvider>,
      ),
    )
  await set({})
  return { ...given, set }
}

const watch: ApprovalCardProps['watch'] = (button, onArmed) => watchArming([button], onArmed)
const text = () => document.body.textContent ?? ''

function button(name: string): HTMLElement {
  const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  if (found === undefined) throw new Error(`There is no button ${name}`)
  return found
}

const send = (name: string, event: Event) => act(async () => void button(name).dispatchEvent(event))
const click = (detail = 1) => new MouseEvent('click', { bubbles: true, detail })
const pointerdown = () => new Event('pointerdown', { bubbles: true })
const enter = (repeat = false) =>
  new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, repeat })
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const isArmed = () => button('Approve').getAttribute('aria-disabled') === null

async function press(name: string): Promise<void> {
  await send(name, pointerdown())
  await send(name, click())
}

describe('the line that says why Approve waits', () => {
  it('1. 2. appears after 2.5 s, and keeps its place once Approve is armed: the card does not shrink', async () => {
    let arm = (_: boolean) => {}
    await drawn({
      watch(_, onArmed) {
        arm = onArmed
        return () => {}
      },
    })
    const said = () => [...document.querySelectorAll('[role=status]')].map((line) => line.textContent).join('')
    const lines = () => [...document.querySelectorAll('p')].filter((line) => line.textContent?.includes('covers it'))
    await pass(2_499)
    expect(lines()).toEqual([])
    await pass(1)
    expect(said()).toContain('nothing covers it')
    for (const armed of [true, false]) {
      await act(async () => arm(armed))
      expect(said()).toBe('')
      expect(lines().map((line) => line.getAttribute('aria-hidden'))).toEqual(['true'])
    }
    await pass(2_500)
    expect(said()).toContain('nothing covers it')
    expect(lines()).toHaveLength(1)
  })
})

describe('the replacement of a waiting transaction', () => {
  it('says that a speed-up is paid once', async () => {
    await drawn({ asker: 'visitor', intent: { ...intent, warnings: [{ kind: 'speedUp' }] } })
    expect(text()).toContain('You pay only once.')
    expect(text()).toContain('0.1')
  })

  it('shows what is cancelled, and that it may be too late', async () => {
    const cancel: Intent = {
      ...intent,
      steps: [{ kind: 'cancel', cancelled: [{ kind: 'transfer', to: friend, amount: eth('100000000000000000') }] }],
      changes: { kind: 'known', changes: [] },
      warnings: [{ kind: 'cancel' }],
    }
    await drawn({ asker: 'visitor', intent: cancel })
    expect(text()).toContain('Cancel a transaction')
    expect(text()).toContain('This may come too late.')
    expect(text()).toContain('0.1')
    expect(text()).toContain(friend.slice(-4))
  })

  it('shows the payments that a cancellation on Bitcoin prevents, and its own fee', async () => {
    const btc = (raw: string) => ({ raw, symbol: 'BTC', decimals: 8 })
    const outputs = [{ to: friend, amount: btc('5000000'), own: false }]
    const cancel: Intent = {
      ...intent,
      steps: [{ kind: 'cancel', cancelled: [{ kind: 'outputs', outputs }] }],
      fee: { amount: btc('1200'), sponsored: false },
      changes: { kind: 'known', changes: [] },
      warnings: [{ kind: 'cancel' }],
    }
    await drawn({ asker: 'visitor', intent: cancel })
    expect(text()).toContain('Cancel a transaction')
    expect(text()).toContain('0.05\u00A0BTC')
    expect(text()).toContain('0.000012\u00A0BTC')
    expect(text()).toContain(friend.slice(-4))
  })
})

describe('ApprovalCard', () => {
  it('reads in order: requester, amount, recipient, cost, warnings', async () => {
    await drawn()
    expect(text()).toMatch(/^app\.saltmarsh\.example\s*asks you to send/)
    expect(text()).toContain('−\u202F0.1\u00A0ETH')
    expect(text()).toContain(friend)
    expect(text()).toContain('0.000630001\u00A0ETH')
    expect(text().indexOf('This will likely fail')).toBeLessThan(text().indexOf('New recipient'))
    expect(document.querySelector('textarea')?.value).toBe('0x02f0')
  })

  it('says which site learns who signed in, and exactly what; no network and no raw data are in question', async () => {
    const user = { kind: 'user', provider: 'google', email: 'name@example.com' } as const
    const shared: Intent = { steps: [user], warnings: [], fee: null, changes: { kind: 'unknown' }, raw: [] }
    const given = { request: { ...request, method: 'getIdentityToken', subject: user }, intent: shared }
    const { set } = await drawn(given)
    expect(text()).toMatch(/^app\.saltmarsh\.example\s*asks who you are/)
    expect(text()).toMatch(
      /Share who you are.*Email address.*name@example\.com.*Signed in with.*Google.*Until you sign out/,
    )
    expect(text()).not.toMatch(/Ethereum|Raw data|sign\b(?! out)/)
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    await set({ isSigning: true })
    expect(text()).toContain('Sharing')
    await set({ intent: { ...shared, steps: [{ kind: 'user', provider: 'email' }] } })
    expect(text()).toMatch(/Signed in with\s*Email/)
    expect(text()).not.toContain('Email address')
  })

  it('never says that nothing (else) changes if that is not known', async () => {
    const given = (changes: Intent['changes']): Intent => ({
      steps: [{ kind: 'instruction', program: friend, fields: [] }],
      warnings: [{ kind: 'givesControl', to: friend }],
      fee: { amount: eth('5'), sponsored: true },
      changes,
      raw: [],
    })
    const { set } = await drawn({ intent: given({ kind: 'unknown' }) })
    expect(text()).toContain('We can’t tell what will change')
    expect(text()).toContain('Gives away control of your account')
    await set({ intent: given({ kind: 'known', partial: true, changes: [{ direction: 'in', amount: eth('7') }] }) })
    expect(text()).toContain('There may be other changes')
    expect(text()).not.toContain('No change')
  })

  it('approves only after it was visible long enough; another request starts again', async () => {
    const { onApprove, set } = await drawn({ queued: 2 })
    expect(text()).toContain('1 of 2')
    await press('Approve')
    expect(onApprove).not.toHaveBeenCalled()
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    await set({ request: { ...request, id: 'r2' } })
    expect(isArmed()).toBe(false)
    await press('Approve')
    expect(onApprove).not.toHaveBeenCalled()
    await pass(armingDelayMs)
    await press('Approve')
    expect(onApprove).toHaveBeenCalledOnce()
  })

  it('starts again when a warning comes later', async () => {
    const { set } = await drawn({ intent: { ...intent, warnings: [] } })
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    await set({ intent })
    expect(isArmed()).toBe(false)
  })

  it('starts again when the changes of a simulation come later', async () => {
    const { set } = await drawn({ intent: { ...intent, changes: { kind: 'unknown' } } })
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    await set({ intent })
    expect(isArmed()).toBe(false)
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
  })

  it('ignores a press after it disarmed, also before React has drawn that', async () => {
    const { onApprove } = await drawn()
    await pass(armingDelayMs)
    await act(async () => {
      window.dispatchEvent(new Event('resize'))
      button('Approve').dispatchEvent(pointerdown())
      button('Approve').dispatchEvent(click())
    })
    await pass(armingDelayMs)
    await act(async () => {
      button('Approve').dispatchEvent(pointerdown())
      window.dispatchEvent(new Event('resize'))
      button('Approve').dispatchEvent(click())
    })
    expect(onApprove).not.toHaveBeenCalled()
    await pass(armingDelayMs)
    await press('Approve')
    expect(onApprove).toHaveBeenCalledOnce()
  })

  it('ignores a press that began before the button was armed', async () => {
    const { onApprove } = await drawn()
    await send('Approve', pointerdown())
    await pass(armingDelayMs)
    await send('Approve', click())
    expect(onApprove).not.toHaveBeenCalled()
    await press('Approve')
    expect(onApprove).toHaveBeenCalledOnce()
  })

  it('ignores a press during which the button was disarmed, although it is armed again', async () => {
    const { onApprove } = await drawn()
    await pass(armingDelayMs)
    await send('Approve', pointerdown())
    await act(async () => void window.dispatchEvent(new Event('resize')))
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    await send('Approve', click())
    expect(onApprove).not.toHaveBeenCalled()
    await press('Approve')
    expect(onApprove).toHaveBeenCalledOnce()
  })

  it('ignores a key that was held down since before, and takes a new one', async () => {
    const { onApprove } = await drawn()
    await send('Approve', enter())
    await pass(armingDelayMs)
    const repeated = enter(true)
    await send('Approve', repeated)
    expect(repeated.defaultPrevented).toBe(true)
    await send('Approve', click(0))
    expect(onApprove).not.toHaveBeenCalled()
    await send('Approve', enter())
    await send('Approve', click(0))
    expect(onApprove).toHaveBeenCalledOnce()
  })

  it('arms only after text that does not fit was scrolled to its end', async () => {
    const bottoms = { last: 900, bar: 400 }
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const isBar = this.querySelector('[role="status"]') !== null
      return isBar ? new DOMRect(0, bottoms.bar, 400, 80) : new DOMRect(0, 0, 400, bottoms.last)
    })
    await drawn()
    await pass(10_000)
    expect(isArmed()).toBe(false)
    expect(text()).toContain('Scroll to the end to approve.')
    const main = document.querySelector('main')
    if (main === null) throw new Error('There is no card')
    bottoms.last = 400
    await act(async () => void main.dispatchEvent(new Event('scroll')))
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    expect(document.querySelector('[data-unseen]')?.textContent, 'the document keeps its height').toBe(
      'Scroll to the end to approve.',
    )
    bottoms.last = 900
    await act(async () => void main.dispatchEvent(new Event('scroll')))
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
    await act(async () => void window.dispatchEvent(new Event('resize')))
    await pass(10_000)
    expect(isArmed()).toBe(false)
  })

  it('arms only after a scroll, too, if the bar follows the content in a low window', async () => {
    vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(120)
    let scrolled = 0
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const isBar = this.querySelector('[role="status"]') !== null
      return isBar ? new DOMRect(0, 900 - scrolled, 400, 80) : new DOMRect(0, -scrolled, 400, 900)
    })
    await drawn()
    await pass(10_000)
    expect(isArmed()).toBe(false)
    scrolled = 860
    const main = document.querySelector('main')
    if (main === null) throw new Error('There is no card')
    await act(async () => void main.dispatchEvent(new Event('scroll')))
    await pass(armingDelayMs)
    expect(isArmed()).toBe(true)
  })

  it('is not armed before the request has been read', async () => {
    await drawn({ intent: null })
    expect(text()).toContain('Reading the request')
    await pass(10_000)
    expect(isArmed()).toBe(false)
  })

  it('offers only Decline for a blocked request', async () => {
    const { onReject } = await drawn({
      request: { ...request, blocked: 'DOMAIN_MISMATCH' },
      intent: {
        steps: [{ kind: 'signIn', domain: 'bank.example', account: friend, fields: [] }],
        warnings: [{ kind: 'domainMismatch', domain: 'bank.example', origin: 'https://app.saltmarsh.example' }],
        fee: null,
        changes: { kind: 'unknown' },
        raw: [],
      },
    })
    expect(text()).toContain('This sign-in is for bank.example, but app.saltmarsh.example asked for it.')
    expect(() => button('Approve')).toThrow()
    await press('Decline')
    expect(onReject).toHaveBeenCalledOnce()
  })

  it('says that the network cannot be reached, with Try again and Decline', async () => {
    const onRetry = vi.fn()
    const unprepared = {
      request: { ...request, blocked: 'NETWORK_UNREACHABLE', subject: { kind: 'unprepared', sends: true } },
      intent: { steps: [], warnings: [], fee: null, changes: { kind: 'unknown' }, raw: [] },
    } satisfies Partial<ApprovalCardProps>
    const { onReject, set } = await drawn({ ...unprepared, retry: { isBusy: false, onRetry } })
    expect(text()).toContain('asks you to send')
    expect(document.querySelector('[role="status"]')?.textContent?.trim()).toBe('Can’t reach Ethereum')
    expect([...document.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
      'Decline',
      'Try again',
    ])
    await press('Try again')
    await set({ ...unprepared, retry: { isBusy: true, onRetry } })
    expect(button('Try again').getAttribute('aria-busy')).toBe('true')
    await press('Try again')
    expect(onRetry).toHaveBeenCalledOnce()
    await press('Decline')
    expect(onReject).toHaveBeenCalledOnce()
  })

  it('escapes bidi controls in a token’s name', async () => {
    const amount = { ...eth('5'), symbol: '\u202EHTE', token: friend }
    await drawn({ intent: { ...intent, steps: [{ kind: 'transfer', to: friend, amount }], warnings: [], fee: null } })
    expect(text()).not.toContain('\u202E')
  })
})
