// @vitest-environment happy-dom
import { NameRelease } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { address, arrival, button, connected, dialog, mount, press, text, title } from '../../boot/testing/mount-app'
import type { BlockchainApi, MoneyHost } from '../../snapshot/money'
import { testMoney } from '../testing/test-money'

const signature = `0x${'ab'.repeat(65)}`
const money = { swapChainIds: [], onramp: false, nameSuffix: '.postern' }

async function view(api: Partial<BlockchainApi>, request: MoneyHost['request'] = async () => signature) {
  const app = await mount({ connections: { eip155: connected }, money }, testMoney({ api, request }))
  await app.open('RegisterAccountName')
  await arrival(() => expect(title()).toBe('Get a name'))
  return app
}

const suggesting = (registered: boolean, others: readonly string[] = []) =>
  vi.fn(async (label: string) => ({
    suggestions: [{ name: `${label}.postern`, registered }, ...others.map((name) => ({ name, registered: false }))],
  }))

/** React only reacts to the event. */
async function type(value: string) {
  const input = dialog().querySelector('input')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

describe('registering a name', () => {
  it('registers it after the user signed', async () => {
    const registerName = vi.fn(async () => ({ name: '', registered_at: '', addresses: {}, attributes: [] }))
    await view({ nameSuggestions: suggesting(false), registerName })
    await type('Ada-Lovelace')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('This name now points to your address.'))
    expect(registerName).toHaveBeenCalledWith(expect.objectContaining({ coin_type: 60, address, signature }))
    expect(text()).toContain('ada-lovelace.postern')
    await press('Done')
    await arrival(() => expect(title()).toBe('Account'))
  })

  it('shows it at once, even if the account just had no name', async () => {
    let name: string | null = null
    const identity = vi.fn(async () => ({ name, avatar: null }))
    const registerName = async () => {
      name = 'adal.postern'
      return { name, registered_at: '', addresses: {}, attributes: [] }
    }
    const api = { identity, nameSuggestions: suggesting(false), registerName }
    const connections = { eip155: connected }
    const app = await mount({ connections, money }, testMoney({ api, request: async () => signature }))
    await app.open('Account')
    await arrival(() => expect(button('Get a name')).toBeDefined())
    await press('Get a name')
    await arrival(() => expect(title()).toBe('Get a name'))
    await type('adal')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('This name now points to your address.'))
    await press('Done')
    await arrival(() => expect(title()).toBe('Account'))
    await arrival(() => expect(text()).toContain('adal.postern'))
  })

  it('lists it with the account’s other names at once', async () => {
    const names = ['ada-1.postern']
    const profile = (name: string) => ({ name, registered_at: '', addresses: {}, attributes: [] })
    const namesOf = vi.fn(async () => names.map(profile))
    const registerName = async () => {
      names.unshift('adal.postern')
      return profile('adal.postern')
    }
    await view({ nameSuggestions: suggesting(false), namesOf, registerName })
    await arrival(() => expect(text()).toMatch(/Your name(?!s).*ada-1\.postern/))
    await type('adal')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('This name now points to your address.'))
    await press('Done')
    await arrival(() => expect(button('Get a name')).toBeTruthy())
    await press('Get a name')
    await arrival(() => expect(text()).toMatch(/Your names.*adal\.postern.*ada-1\.postern/))
    expect(namesOf).toHaveBeenCalledWith(address, expect.anything())
  })

  it('looks it up once typing pauses, and only if it is valid', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const nameSuggestions = suggesting(false)
      await view({ nameSuggestions })
      await type('ad')
      expect(text()).toContain('At least 4 letters, digits or hyphens')
      await type('ada_lovelace')
      expect(text()).toContain('Only letters a to z, digits and hyphens')
      await type('adal')
      await type('adalo')
      await arrival(() => expect(text()).toContain('This name is available'))
      expect(nameSuggestions.mock.calls.map(([label]) => label)).toEqual(['adalo'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('suggests others if it is taken', async () => {
    await view({ nameSuggestions: suggesting(true, ['ada1.postern', 'a-\u202eda.postern']) })
    await type('adal')
    await arrival(() => expect(text()).toContain('Already taken'))
    expect(button('Register name').getAttribute('aria-disabled')).toBe('true')
    expect(text()).not.toContain('\u202e')
    await press('ada1.postern')
    await arrival(() => expect(dialog().querySelector('input')?.value).toBe('ada1'))
  })

  it('does not register it without a signature', async () => {
    const registerName = vi.fn()
    await view({ nameSuggestions: suggesting(false), registerName }, () => Promise.reject(new Failure('USER_REJECTED')))
    await type('adal')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('You declined. Nothing was registered.'))
    expect(registerName).not.toHaveBeenCalled()
  })

  it('shows the registry’s own refusal', async () => {
    const registerName = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'This name is reserved.' }))
    await view({ nameSuggestions: suggesting(false), registerName })
    await type('adal')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('This name is reserved.'))
  })

  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const holding = (of: string) => ({
    connections: {
      eip155: { ...connected, accounts: [{ namespace: 'eip155' as const, address: of, type: 'eoa' as const }] },
    },
  })

  it('keeps the typed text and the result from another account', async () => {
    const { set } = await view({ nameSuggestions: suggesting(false) }, () =>
      Promise.reject(new Failure('USER_REJECTED')),
    )
    await type('adal')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('You declined. Nothing was registered.'))
    await set(holding(other))
    await arrival(() => expect(dialog().querySelector('input')?.value).toBe(''))
    expect(text()).not.toContain('You declined')
    await set(holding(address))
    await arrival(() => expect(dialog().querySelector('input')?.value).toBe('adal'))
  })

  it('shows the success only to its account', async () => {
    const registerName = async () => ({ name: '', registered_at: '', addresses: {}, attributes: [] })
    const { set } = await view({ nameSuggestions: suggesting(false), registerName })
    await type('adal')
    await arrival(() => expect(text()).toContain('This name is available'))
    await press('Register name')
    await arrival(() => expect(text()).toContain('This name now points to your address.'))
    await set(holding(other))
    await arrival(() => expect(title()).toBe('Account'))
    expect(text()).not.toContain('adal.postern')
  })

  it('offers a retry if no service responds', async () => {
    let isUp = false
    const nameSuggestions = vi.fn(async (label: string) => {
      if (!isUp) throw new Failure('HTTP_STATUS')
      return { suggestions: [{ name: `${label}.postern`, registered: false }] }
    })
    await view({ nameSuggestions })
    await type('adal')
    await arrival(() => expect(text()).toContain('Couldn’t check names right now'))
    isUp = true
    await press('Try again')
    await arrival(() => expect(text()).toContain('This name is available'))
  })
})

describe('releasing a name', () => {
  const account = { namespace: 'eip155', type: 'eoa' } as const
  const another = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const profile = (name: string) => ({ name, registered_at: '', addresses: {}, attributes: [] })
  const registry = (...names: string[]) => ({
    namesOf: async () => names.map(profile),
    releaseName: vi.fn(async ({ message }: { readonly message: string }) => {
      const { release } = NameRelease.parse(JSON.parse(message))
      names.splice(names.indexOf(release), 1)
      return { name: release, free_from: new Date(2026, 3, 15, 12).toISOString() }
    }),
  })

  it('releases it after the user read the consequences and signed', async () => {
    const { namesOf, releaseName } = registry('adal.postern', 'ada-1.postern')
    const request = vi.fn(async () => signature)
    await view({ namesOf, releaseName }, request)
    await arrival(() => expect(text()).toContain('adal.postern'))
    await press('Release adal.postern')
    await arrival(() => expect(text()).toContain('No one can register it for 90 days, including you'))
    expect(request).not.toHaveBeenCalled()
    expect(document.activeElement?.textContent).toBe('Keep it')
    await press('Release')
    await arrival(() => expect(text()).toContain('adal.postern released.'))
    expect(text()).toContain('Anyone can register it from Apr 15, 2026')
    await arrival(() => expect(text()).toMatch(/Your name(?!s).*ada-1\.postern/))
    expect(releaseName).toHaveBeenCalledWith(expect.objectContaining({ coin_type: 60, address, signature }))
  })

  it('asks only its own account', async () => {
    const { namesOf } = registry('adal.postern')
    const { set } = await view({ namesOf })
    await arrival(() => expect(text()).toContain('adal.postern'))
    await press('Release adal.postern')
    await arrival(() => expect(text()).toContain('No one can register it for 90 days, including you'))
    await set({ connections: { eip155: { ...connected, accounts: [{ ...account, address: another }] } } })
    await arrival(() => expect(button('Release adal.postern')).toBeDefined())
    expect(text()).not.toContain('for 90 days')
  })

  it('asks the wallet nothing if the user keeps it', async () => {
    const { namesOf, releaseName } = registry('adal.postern')
    const request = vi.fn(async () => signature)
    await view({ namesOf, releaseName }, request)
    await arrival(() => expect(text()).toContain('adal.postern'))
    await press('Release adal.postern')
    await press('Keep it')
    await arrival(() => expect(button('Release adal.postern')).toBeDefined())
    expect(request).not.toHaveBeenCalled()
  })

  it('keeps it without a signature, and offers a retry', async () => {
    const { namesOf, releaseName } = registry('adal.postern')
    let isYes = false
    await view({ namesOf, releaseName }, async () => {
      if (!isYes) throw new Failure('USER_REJECTED')
      return signature
    })
    await arrival(() => expect(text()).toContain('adal.postern'))
    await press('Release adal.postern')
    await press('Release')
    await arrival(() => expect(text()).toContain('You declined. The name is still yours.'))
    expect(releaseName).not.toHaveBeenCalled()
    isYes = true
    await press('Try again')
    await arrival(() => expect(text()).toContain('adal.postern released.'))
  })

  it('sends the wallet no other request meanwhile', async () => {
    const { namesOf, releaseName } = registry('adal.postern', 'ada-1.postern')
    await view({ nameSuggestions: suggesting(false), namesOf, releaseName }, () => new Promise(() => undefined))
    await arrival(() => expect(text()).toContain('adal.postern'))
    await press('Release adal.postern')
    await press('Release')
    await arrival(() => expect(text()).toContain('Confirm in'))
    await type('adalo')
    await arrival(() => expect(text()).toContain('This name is available'))
    expect(button('Register name').getAttribute('aria-disabled')).toBe('true')
    expect(button('Keep it').getAttribute('aria-disabled')).toBe('true')
    expect([...dialog().querySelectorAll('button')].map((one) => one.textContent)).not.toContain(
      'Release ada-1.postern',
    )
  })

  it.each(['adal.postern', 'ada.eth'])('is reachable from the account, which is known as %s', async (name) => {
    const { namesOf } = registry('adal.postern')
    const identity = async () => ({ name, avatar: null })
    const app = await mount({ connections: { eip155: connected }, money }, testMoney({ api: { identity, namesOf } }))
    await app.open('Account')
    await arrival(() => expect(button('Your names')).toBeDefined())
    await press('Your names')
    await arrival(() => expect(button('Release adal.postern')).toBeDefined())
  })
})
