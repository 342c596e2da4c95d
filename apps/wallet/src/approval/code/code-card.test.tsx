// @vitest-environment happy-dom
import { I18nProvider } from '@lingui/react'
import { activateLocale, createText } from '@postern/ui/locales/text'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WatchArming } from '../arming/arming'
import { CodeCard, type DrawnCode } from './code-card'

/** In the time zone of the machine, as the card shows dates. */
const noon = new Date(2026, 8, 21, 12).getTime()

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
afterEach(() => document.body.replaceChildren())

async function drawn(purpose: DrawnCode['purpose'], locale = 'en') {
  const i18n = createText()
  await activateLocale(i18n, locale)
  const root = createRoot(document.body.appendChild(document.createElement('main')))
  let arm = (_: boolean) => {}
  let gate = (_: 'covered' | 'visible' | 'armed') => {}
  const code: DrawnCode = {
    id: 'c1',
    purpose,
    isBusy: false,
    failure: null,
    onSubmit: vi.fn(),
    onEdit: vi.fn(),
    onCancel: vi.fn(),
  }
  const watch: WatchArming = (_, onArmed, onVisible) => {
    if (onVisible === undefined) arm = onArmed
    else {
      gate = (state) => {
        onArmed(state === 'armed')
        onVisible(state !== 'covered')
      }
      gate('armed')
    }
    return () => {}
  }
  const set = (next: Partial<DrawnCode>) =>
    act(async () =>
      root.render(
        <I18nProvider i18n={i18n}>
          <CodeCard code={{ ...code, ...next }} watch={watch} />
        </I18nProvider>,
      ),
    )
  await set({})
  return {
    code,
    set,
    arm: () => act(async () => arm(true)),
    gate: (state: Parameters<typeof gate>[0]) => act(async () => gate(state)),
  }
}

const text = () => document.body.textContent ?? ''

async function type(digits: string): Promise<void> {
  const field = document.querySelector('input')
  if (field === null) throw new Error('No field')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, digits)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find((one) => one.textContent === name)
  if (found === undefined) throw new Error(`No button ${name}`)
  return found
}

const press = (name: string) => act(async () => button(name).click())
const wrong = { code: 'WRONG_CODE', message: 'Wrong code', retryAt: null } as const
const unreachable = {
  code: 'WALLET_SERVICE_UNREACHABLE',
  message: 'Can’t reach the wallet service',
  retryAt: null,
} as const

describe('CodeCard', () => {
  it.each([
    ['en', { ...wrong, message: 'Wrong code. Tries left: 3.' }, 'Wrong code. Tries left: 3.'],
    ['de', { ...wrong, message: 'Wrong code. Tries left: 3.' }, 'Falscher Code. Verbleibende Versuche: 3.'],
    [
      'de',
      { ...wrong, message: 'Wrong code. Tries left: 0. Request a new code.' },
      'Falscher Code. Verbleibende Versuche: 0. Fordern Sie einen neuen Code an.',
    ],
    ['de', wrong, 'Falscher Code'],
    [
      'de',
      { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts. Try again in 73 min.', retryAt: null },
      'Zu viele Versuche. Versuchen Sie es in 73 Min. erneut.',
    ],
  ] as const)('says in %s what is left of the tries, or how long to wait', async (locale, failure, said) => {
    const { set } = await drawn({ kind: 'signIn', email: 'ada@example.org' }, locale)
    await set({ failure })
    expect(document.querySelector('[role=alert]')?.textContent).toBe(said)
  })

  it('names the address, submits six digits at once, and says why they were refused', async () => {
    const { code, set } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
    expect(text()).toContain('ada@example.org')
    await type('123 456')
    expect(code.onSubmit).toHaveBeenCalledExactlyOnceWith('123456')
    await set({ failure: wrong })
    expect(document.querySelector('[role=alert]')?.textContent).toBe('Wrong code')
    expect(document.querySelector('input')?.value).toBe('')
  })

  it.each([
    { kind: 'signIn', email: 'ada@example.org' },
    { kind: 'social', provider: 'google' },
  ] as const)('0. takes no digit of $kind while the card is covered', async (purpose) => {
    const { code, gate } = await drawn(purpose)
    await gate('covered')
    await type('123456')
    expect(document.querySelector('input')?.value).toBe('')
    expect(document.querySelector('input')?.readOnly).toBe(true)
    await gate('armed')
    await type('1234')
    await gate('covered')
    await type('123456')
    expect(document.querySelector('input')?.value).toBe('1234')
    await gate('armed')
    expect(code.onSubmit).not.toHaveBeenCalled()
  })

  it('0. digits typed in view wait until the card is armed, and are submitted once', async () => {
    const { code, gate } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
    await gate('visible')
    await type('123456')
    expect(code.onSubmit).not.toHaveBeenCalled()
    await gate('armed')
    await gate('visible')
    await gate('armed')
    expect(code.onSubmit).toHaveBeenCalledExactlyOnceWith('123456')
  })

  it('0. a complete code that waits is forgotten when the card is covered', async () => {
    const { code, gate } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
    await gate('visible')
    await type('123456')
    await gate('covered')
    await gate('armed')
    expect(code.onSubmit).not.toHaveBeenCalled()
  })

  it('0. says why, if the card stays covered', async () => {
    vi.useFakeTimers()
    try {
      const { gate } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
      await gate('covered')
      expect(text()).not.toContain('nothing covers it')
      await act(async () => vi.advanceTimersByTime(2_500))
      expect(document.querySelector('[role=alert]')?.textContent).toContain('nothing covers it')
      await gate('visible')
      expect(text()).not.toContain('nothing covers it')
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['WALLET_SERVICE_UNREACHABLE', 'Can’t reach the wallet service'],
    ['TOO_MANY_ATTEMPTS', 'Too many attempts. Try again in 7 s.'],
    ['TIMEOUT', 'The request timed out'],
    ['PROVIDER_FAILED', 'Sign-in failed'],
  ] as const)('2. keeps the digits after %s, and offers to submit them again', async (name, message) => {
    const { code, set } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
    await type('123456')
    await set({ failure: { code: name, message, retryAt: null } })
    const field = document.querySelector('input')
    expect([field?.value, field?.getAttribute('aria-invalid')]).toEqual(['123456', null])
    await press('Try again')
    expect(code.onSubmit).toHaveBeenCalledTimes(2)
    expect(code.onSubmit).toHaveBeenLastCalledWith('123456')
  })

  it.each(['WRONG_CODE', 'CODE_EXPIRED', 'CODE_SPENT'] as const)('2. clears the field after %s', async (name) => {
    const { set } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
    await type('123456')
    await set({ failure: { code: name, message: 'No', retryAt: null } })
    expect(document.querySelector('input')?.value).toBe('')
    expect(text()).not.toContain('Try again')
  })

  it('2. says that the digits are edited, so that they are not submitted again', async () => {
    const { code, set } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
    await type('123456')
    await set({ failure: unreachable })
    await type('12345')
    expect(code.onEdit).toHaveBeenCalledOnce()
    expect(text()).not.toContain('Try again')
  })

  it('counts the seconds to wait down', async () => {
    vi.useFakeTimers({ now: noon })
    try {
      const { set } = await drawn({ kind: 'signIn', email: 'ada@example.org' })
      const message = 'Too many attempts. Try again in 7 s.'
      await set({ failure: { code: 'TOO_MANY_ATTEMPTS', message, retryAt: noon + 7_000 } })
      const said = () => document.querySelector('[role=alert]')?.textContent
      expect(said()).toBe(message)
      await act(async () => vi.advanceTimersByTime(2_000))
      expect(said()).toBe('Too many attempts. Try again in 5 s.')
    } finally {
      vi.useRealTimers()
    }
  })

  it('1. names the new address of a change, takes no code for it, and goes on by a press that counts', async () => {
    const { code, arm } = await drawn({ kind: 'changeEmail', email: 'ada@example.org', newEmail: 'eve@example.org' })
    expect(text()).toContain('eve@example.org')
    expect(document.querySelector('input')).toBeNull()
    await press('Continue in your wallet')
    expect(code.onSubmit).not.toHaveBeenCalled()
    await arm()
    await press('Continue in your wallet')
    expect(code.onSubmit).toHaveBeenCalledExactlyOnceWith(null)
  })

  it('1. takes no code for a deletion, and goes on by a press that counts', async () => {
    const { code, set, arm } = await drawn({ kind: 'deleteAccount' })
    expect(text()).toContain('This can’t be undone')
    expect(text()).toContain('in your wallet’s own window')
    expect(document.querySelector('input')).toBeNull()
    await press('Continue in your wallet')
    expect(code.onSubmit).not.toHaveBeenCalled()
    await arm()
    await press('Continue in your wallet')
    expect(code.onSubmit).toHaveBeenCalledExactlyOnceWith(null)
    await set({ failure: { code: 'POPUP_BLOCKED', message: 'Your browser blocked the window', retryAt: null } })
    expect(document.querySelector('[role=alert]')?.textContent).not.toBe('')
    await press('Keep account')
    expect(code.onCancel).toHaveBeenCalledOnce()
  })

  it('removes a device, which it names, by a press that counts', async () => {
    const { code, arm } = await drawn({ kind: 'removeDevice', device: 'Pixel\u202E', usedAt: noon })
    expect(document.querySelector('input')).toBeNull()
    expect(text()).toContain('Pixel⟨U+202E⟩')
    expect(text()).toContain('Last used Sep 21, 2026')
    await press('Remove')
    expect(code.onSubmit).not.toHaveBeenCalled()
    await arm()
    await press('Remove')
    expect(code.onSubmit).toHaveBeenCalledExactlyOnceWith(null)
    await press('Keep it')
    expect(code.onCancel).toHaveBeenCalledOnce()
  })

  it('removes the share of an ended wallet, which it names, by a press that counts', async () => {
    const [from, to] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
    const purpose = { kind: 'forgetEnded', what: 'replaced', at: noon, from, to } as const
    const { code, arm } = await drawn(purpose)
    expect(document.querySelector('input')).toBeNull()
    expect(text()).toContain('You moved to a new wallet on another device: Sep 21, 2026')
    expect(text()).toContain(`Old wallet: ${from}`)
    expect(text()).toContain(`New wallet: ${to}`)
    expect(text()).toContain('Continue only if you moved to this new wallet yourself.')
    await press('Remove and continue')
    expect(code.onSubmit).not.toHaveBeenCalled()
    await arm()
    await press('Remove and continue')
    expect(code.onSubmit).toHaveBeenCalledExactlyOnceWith(null)
    await press('Keep it')
    expect(code.onCancel).toHaveBeenCalledOnce()
  })

  it('says of a deleted wallet that a new one begins', async () => {
    const from = `0x${'aa'.repeat(20)}`
    await drawn({ kind: 'forgetEnded', what: 'deleted', at: noon, from, to: null })
    expect(text()).toContain('Wallet deleted on another device: Sep 21, 2026')
    expect(text()).toContain('You then start with a new wallet.')
    expect(text()).not.toContain('New wallet:')
  })

  it('names a device whose time is beyond all dates', async () => {
    await drawn({ kind: 'removeDevice', device: 'Pixel', usedAt: Number.MAX_VALUE })
    expect(text()).toContain('Pixel')
  })
})
