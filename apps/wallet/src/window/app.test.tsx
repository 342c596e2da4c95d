// @vitest-environment happy-dom

import type { Recovery } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WatchArming } from '../approval/arming/arming'
import type { Intent } from '../intent/intent'
import { signingWorker } from '../keys/signing-worker'
import { newKey } from '../testing/fake-proofs'
import {
  type WaitingApproval,
  type WalletRecord,
  type WindowAskName,
  type WindowContext,
  windowAsks,
} from '../window-messages'
import { WindowApp } from './app'
import type { WindowStore, WindowTools } from './flow'
import { type Found, type FrameLink, Unanswered } from './frame-link'
import { speak } from './say'
import { loadText } from './text'

const say = speak()
const user = { id: 'u', email: 'ada@example.org', userName: null, provider: 'email' } as const
const worker = signingWorker()
const { addresses, split } = await worker.create({ userId: 'u', recovery: { method: 'gateway' } })
const source = { device: split.device, authShare: split.authShare, addresses }
const keys = await worker.exportKeys(source)
const record: WalletRecord = {
  deviceToken: 'D'.repeat(43),
  session: { token: 'S'.repeat(43), key: await newKey(), expiresAt: 1, user },
  shares: [],
  preferences: {},
}

const passkey: Recovery = { method: 'passkey', publicKey: 'AA', wrappedKey: 'AA', salt: 'AA', credentialId: 'AA' }

const armedAtOnce: WatchArming = (_, onArmed) => {
  onArmed(true)
  return () => undefined
}

const intentOf = (id: string): Intent => ({
  steps: [{ kind: 'message', text: `The text of ${id}`, isText: true }],
  warnings: [],
  fee: null,
  changes: { kind: 'unknown' },
  raw: [],
})

const waiting = (id: string, queued = 1): WaitingApproval => ({
  request: {
    id,
    method: 'personal_sign',
    networkId: 'eip155:1',
    origin: 'https://dapp.example',
    digest: id.repeat(64).slice(0, 64),
    subject: { kind: 'eip155.message', address: addresses.eip155, account: 'eoa', message: '0x68' },
  },
  queued,
  asker: 'dapp',
  dappName: 'Saltmarsh',
})

type Answers = { readonly [N in WindowAskName]?: (payload: unknown) => unknown }
type Given = {
  readonly context?: Partial<WindowContext>
  readonly answers?: Answers
  readonly find?: Found
  /** The first that waits when the window opens. */
  readonly approval?: WaitingApproval | null
  readonly tools?: Partial<WindowTools>
}

let root: Root | null = null
function unmount() {
  root?.unmount()
  root = null
  document.body.replaceChildren()
}
// The tests wait for what the window shows, as a user does.
beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterEach(unmount)

/** The real window, with a scripted frame. */
function open({ context = {}, answers = {}, find, approval, tools = {} }: Given = {}) {
  unmount()
  const place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  const asked: { readonly name: string; readonly payload: unknown }[] = []
  const end = vi.fn()
  const facts = () => ({ own: [], known: { recipients: [], contracts: [] } })
  const table = new Map<string, (payload: unknown) => unknown>(Object.entries({ approvalFacts: facts, ...answers }))
  const link: FrameLink = {
    context: {
      kind: 'context',
      purpose: 'export',
      projectName: 'Demo',
      origin: 'https://dapp.example',
      user,
      storage: 'frame',
      recovery: { method: 'gateway' },
      addresses,
      ...context,
    },
    end,
    onApproval(listener) {
      listeners.add(listener)
      if (approval !== undefined) listener(approval)
      return () => listeners.delete(listener)
    },
    async ask(name, payload) {
      if (name !== 'approvalFacts') asked.push({ name, payload })
      return windowAsks[name].answer.parse(await table.get(name)?.(payload))
    },
  }
  const listeners = new Set<(approval: WaitingApproval | null) => void>()
  /** As the frame sends it. */
  const push = (approval: WaitingApproval | null) => {
    for (const listener of [...listeners]) listener(approval)
  }
  const leaving = new Set<() => void>()
  const copied: string[] = []
  const close = vi.fn<() => void>()
  const finished = new Promise<void>((resolve) => close.mockImplementation(resolve))
  const allTools: WindowTools = {
    say,
    host: 'wallet.example',
    credentials: undefined,
    hasPasskey: false,
    rule: 'any',
    stretch: async () => new Uint8Array(32).fill(7),
    openStore: async () => null,
    startSigner: async () => ({ worker, end: () => undefined }),
    copy: async (text) => {
      copied.push(text)
    },
    describe: async ({ id }, _facts, _signal, onIntent) => onIntent(intentOf(id)),
    networkOf: (name) => ({ name }),
    watch: armedAtOnce,
    onLeave: (listener) => {
      leaving.add(listener)
      return () => leaving.delete(listener)
    },
    ...tools,
  }
  root.render(
    <WindowApp
      find={async () => find ?? { link }}
      found={() => undefined}
      tools={allTools}
      wait={() => Promise.resolve()}
      close={close}
    />,
  )
  return { asked, close, copied, end, finished, push, leave: () => [...leaving].map((listener) => listener()), leaving }
}

const text = () => document.body.textContent ?? ''
/** Key operations are slow on a busy machine. */
const arrival = <T,>(read: () => T) => vi.waitFor(read, { timeout: 15_000, interval: 10 })
const shows = (words: string) => arrival(() => expect(text()).toContain(words))
async function press(name: string, { isArmed = true } = {}) {
  const button = await arrival(() => {
    const all = [...document.querySelectorAll('button')]
    const match = all.find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name)
    if (match === undefined) throw new Error(`No button “${name}” in: ${text()}`)
    if (isArmed) expect(match.getAttribute('aria-disabled')).toBeNull()
    return match
  })
  button.click()
}
async function type(label: string, value: string) {
  const input = await arrival(() => {
    const found = [...document.querySelectorAll('label')].find((each) => each.textContent === label)
    const node =
      document.getElementById(found?.getAttribute('for') ?? '') ??
      document.querySelector(`input[aria-label="${label}"]`)
    if (!(node instanceof HTMLInputElement)) throw new Error(`No field “${label}”`)
    return node
  })
  // React overrides the element's own `value` property and ignores values set through it.
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  set?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
const names = (asked: readonly { readonly name: string }[]) => asked.map(({ name }) => name)
const fails = (code: 'WRONG_CODE' | 'EMAIL_COOLDOWN' | 'LINK_CLOSED' | 'UNAUTHORIZED' | 'WALLET_IN_USE') => () => {
  throw new Failure(code)
}

describe('the window', () => {
  it.each([
    ['severed', 'This window lost its connection'],
    ['lost', 'Your wallet isn’t responding'],
  ] as const)('1. reports that it is %s, and closes on demand', async (failure, title) => {
    const { close } = open({ find: { failure } })
    await shows(title)
    await press('Close this window')
    expect(close).toHaveBeenCalled()
  })

  it('1. focuses the heading, and shows external text as text', async () => {
    open({ context: { purpose: 'unlock', recovery: { method: 'gateway' } } })
    await shows('Your wallet doesn’t need a passkey or passphrase.')
    expect(document.activeElement?.tagName).toBe('H1')
    expect(document.title).toContain('Unlock your wallet')
  })

  it('1. offers a retry after a failure, and keeps the link', async () => {
    let tries = 0
    const { asked } = open({
      answers: {
        confirm: () => (tries++ === 0 ? fails('UNAUTHORIZED')() : { needsCode: false }),
        exportSource: () => source,
      },
    })
    await press('I understand')
    await shows('You’re not signed in')
    await press('Try again')
    await press('I understand')
    await shows('Your keys')
    expect(names(asked)).toEqual(['confirm', 'confirm', 'exportSource'])
  })

  it('1. reports a frame that goes away', async () => {
    open({ answers: { confirm: fails('LINK_CLOSED') } })
    await press('I understand')
    await shows('Your wallet isn’t responding')
  })

  it('1. says of a change without an answer that it may have been made', async () => {
    const answers: Answers = {
      confirm: () => ({ needsCode: true }),
      deleteAccount: () => {
        throw new Unanswered()
      },
    }
    open({ answers, context: { purpose: 'deleteAccount' } })
    await press('Delete account')
    await type('6-digit code', '123456')
    await shows('The change may have been made.')
    expect(text()).not.toContain('Nothing was changed')
  })

  it('2. tells the user of a success, also if the page that opened the window is gone by then', async () => {
    const { finished } = open({
      answers: { confirm: () => ({ needsCode: true }), deleteAccount: () => undefined, done: fails('LINK_CLOSED') },
      context: { purpose: 'deleteAccount' },
    })
    await press('Delete account')
    await type('6-digit code', '123456')
    await shows('Your account is deleted')
    await finished
  })

  it('2. when cancelled, says goodbye and never done', async () => {
    const { asked, close, end, finished } = open()
    await press('Cancel')
    await finished
    expect(names(asked)).not.toContain('done')
    expect(end).toHaveBeenCalled()
    expect(close).toHaveBeenCalled()
  })

  it('shows no details of an error outside the catalogue', async () => {
    open({
      answers: {
        confirm: () => {
          throw new Error('secret 0xabc')
        },
      },
    })
    await press('I understand')
    await shows('Something went wrong')
    expect(text()).not.toContain('0xabc')
  })
})

describe('export', () => {
  const withCode = {
    confirm: () => ({ needsCode: true }),
    exportSource: (payload: unknown) =>
      JSON.stringify(payload) === '{"otp":"123456"}' ? source : fails('WRONG_CODE')(),
  }

  it('1. asks nothing before the warning was read, and shows nothing before the right code', async () => {
    const { asked } = open({ answers: withCode })
    await shows('Anyone who sees the words')
    expect(asked).toEqual([])
    await press('I understand')
    await type('6-digit code', '000 000')
    await shows('Wrong code')
    await type('6-digit code', '12a')
    await press('Continue')
    await shows('Enter all 6 digits.')
    await type('6-digit code', '123456')
    await shows('Your keys')
    expect(text()).not.toContain(keys.mnemonic)
  })

  it('2. shows a secret on request, and hides it when the window is left', async () => {
    const { leave, copied, leaving, finished } = open({
      answers: { ...withCode, confirm: () => ({ needsCode: false }), exportSource: () => source },
    })
    await press('I understand')
    await press('Show Twelve words')
    await shows(keys.mnemonic)
    expect(text()).not.toContain(keys.eip155)
    leave()
    expect(text()).not.toContain(keys.mnemonic)
    await press('Copy Ethereum key')
    await shows('Copied')
    expect(copied).toEqual([keys.eip155])
    expect(text()).not.toContain(keys.eip155)
    await press('Hide and close')
    await finished
    expect(leaving.size).toBe(0)
  })

  it('names a code that was emailed a moment ago, and accepts it', async () => {
    open({ answers: { ...withCode, confirm: fails('EMAIL_COOLDOWN') } })
    await press('I understand')
    await shows('We sent a code to ada@example.org a moment ago.')
    expect(text()).not.toContain('we sent to ada@example.org')
    await type('6-digit code', '123456')
    await shows('Your keys')
  })
})

describe('the change of the email address', () => {
  const context = { purpose: 'email' } as const
  const until = Date.UTC(2026, 11, 6, 12)
  function changing(isProven: boolean): Answers {
    let step = 'primary'
    return {
      emailChange: () => ({ email: 'ada@example.org', newEmail: 'eve@example.org', step }),
      emailPrimary: (payload) => {
        if (!JSON.stringify(payload).includes('123456')) return fails('WRONG_CODE')()
        step = 'secondary'
        return undefined
      },
      emailSecondary: () => ({ undoUntil: until, isProven }),
    }
  }

  it('1. 2. names the new address, and takes the code of the old one, then that of the new one', async () => {
    const { asked } = open({ answers: changing(true), context })
    await shows('Your email changes to eve@example.org')
    await shows('Step 1 of 2')
    await shows('we sent to ada@example.org')
    await type('6-digit code', '000000')
    await shows('Wrong code')
    await press('Send a new code')
    await shows('We sent you a new code.')
    await type('6-digit code', '123456')
    await shows('Step 2 of 2')
    await shows('we sent to eve@example.org')
    expect(names(asked)).toContain('emailAgain')
  })

  it('3. tells both dates of a change on a device from before, and ends with Done', async () => {
    const { asked, finished } = open({ answers: changing(true), context })
    await shows('Step 1 of 2')
    await type('6-digit code', '123456')
    await shows('Step 2 of 2')
    await type('6-digit code', '654321')
    await shows('Email changed')
    for (const date of ['Dec 6, 2026', 'Dec 13, 2026']) expect(text()).toContain(date)
    expect(names(asked)).not.toContain('done')
    await press('Done')
    await finished
    expect(names(asked).at(-1)).toBe('done')
  })

  it('3. of a change on a new device, tells until when the old address takes the account back', async () => {
    open({ answers: changing(false), context })
    await shows('Step 1 of 2')
    await type('6-digit code', '123456')
    await shows('Step 2 of 2')
    await type('6-digit code', '654321')
    await shows('your former address can take the account back')
    expect(text()).toContain('Dec 6, 2026')
  })
})

describe('the deletion of the previous wallet', () => {
  const answers: Answers = {
    confirm: () => ({ needsCode: true }),
    deletePrevious: (payload) => (JSON.stringify(payload).includes('123456') ? undefined : fails('WRONG_CODE')()),
  }
  const context = { purpose: 'deletePrevious' } as const

  it('1. 2. names the wallet and what is lost, then deletes that wallet with the right code', async () => {
    const { asked, finished } = open({ answers, context })
    await shows('Anything still in this wallet is lost')
    expect(text()).toContain(addresses.eip155)
    expect(asked).toEqual([])
    await press('Delete wallet')
    await type('6-digit code', '000000')
    await shows('Wrong code')
    await type('6-digit code', '123456')
    await finished
    expect(asked[0]).toEqual({ name: 'confirm', payload: { purpose: 'deletePrevious' } })
    expect(asked.at(-2)).toEqual({ name: 'deletePrevious', payload: { addresses, otp: '123456' } })
  })

  it('1. deletes nothing after Cancel, or if no wallet can be named', async () => {
    const { asked, finished } = open({ answers, context })
    await press('Cancel')
    await finished
    expect(names(asked)).not.toContain('deletePrevious')
    const second = open({ answers, context: { ...context, addresses: null } })
    await shows('Unlock your previous wallet first.')
    expect(second.asked).toEqual([])
  })
})

describe('the deletion of the account', () => {
  const answers: Answers = {
    confirm: () => ({ needsCode: true }),
    deleteAccount: (payload) => (JSON.stringify(payload).includes('123456') ? undefined : fails('WRONG_CODE')()),
  }
  const context = { purpose: 'deleteAccount' } as const

  it('1. names the account and what is lost, then deletes it with the right code', async () => {
    const { asked, finished } = open({ answers, context })
    await shows('our parts of the key for ada@example.org')
    expect(text()).toContain(addresses.eip155)
    expect(text()).toContain('This can’t be undone')
    expect(asked).toEqual([])
    await press('Delete account')
    await type('6-digit code', '000000')
    await shows('Wrong code')
    await type('6-digit code', '123456')
    await finished
    expect(asked[0]).toEqual({ name: 'confirm', payload: { purpose: 'delete' } })
    expect(asked.at(-2)).toEqual({ name: 'deleteAccount', payload: { otp: '123456' } })
    expect(asked.at(-1)).toMatchObject({ name: 'done' })
  })

  it('1. deletes nothing after Cancel, before the code or at it', async () => {
    const first = open({ answers, context })
    await press('Cancel')
    await first.finished
    expect(first.asked).toEqual([])
    const second = open({ answers, context: { ...context, addresses: null } })
    await press('Delete account')
    await shows('we sent to ada@example.org')
    await press('Cancel')
    await second.finished
    expect(names(second.asked)).toEqual(['confirm'])
  })

  it('1. a press counts only once it is armed', async () => {
    const { asked } = open({ answers, context, tools: { watch: () => () => undefined } })
    await press('Delete account', { isArmed: false })
    await shows('This can’t be undone')
    expect(asked).toEqual([])
  })

  it('2. without an email address, needs the phrase that says so, typed by hand, and then the press', async () => {
    const needsNone = { ...answers, confirm: () => ({ needsCode: false }), deleteAccount: () => undefined }
    const github = { id: 'u', email: null, userName: 'ada', provider: 'github' } as const
    const { asked, finished } = open({ answers: needsNone, context: { ...context, user: github } })
    await shows('our parts of the key for ada.')
    await press('Delete account')
    const label = 'To confirm, type “delete my account”'
    await type(label, 'delete')
    await press('Delete account', { isArmed: false })
    const field = document.querySelector('input')
    for (const name of ['paste', 'drop'] as const) {
      const event = new Event(name, { bubbles: true, cancelable: true })
      field?.dispatchEvent(event)
      expect(event.defaultPrevented).toBe(true)
    }
    expect(names(asked)).toEqual(['confirm'])
    await type(label, ' Delete My Account ')
    await press('Delete account')
    await finished
    expect(asked.at(-2)).toEqual({ name: 'deleteAccount', payload: {} })
  })

  it('2. accepts the phrase with accents typed apart from their letters', async () => {
    const { say: german } = await loadText(['de'])
    const needsNone = { ...answers, confirm: () => ({ needsCode: false }), deleteAccount: () => undefined }
    const { asked, finished } = open({ answers: needsNone, context, tools: { say: german } })
    await press(german('deleteAccount.button'))
    const phrase = german('deleteAccount.phrase')
    expect(phrase.normalize('NFD')).not.toBe(phrase)
    await type(german('deleteAccount.typePhrase', { phrase }), phrase.normalize('NFD'))
    await press(german('deleteAccount.button'))
    await finished
    expect(names(asked)).toContain('deleteAccount')
  })

  it('says so if the session has ended, or if another device uses the wallet', async () => {
    open({ answers: { ...answers, confirm: fails('UNAUTHORIZED') }, context })
    await press('Delete account')
    await shows('You’re not signed in')
    open({ answers: { ...answers, deleteAccount: fails('WALLET_IN_USE') }, context })
    await press('Delete account')
    await type('6-digit code', '123456')
    await shows('Another device uses this wallet')
  })
})

describe('a new wallet', () => {
  const context = { purpose: 'create', recovery: null } as const

  it('4. is made for the first method on offer by Continue, without a code', async () => {
    const { asked, finished } = open({ context })
    await shows('Keep your wallet safe')
    const methods = [...document.querySelectorAll('input')].map(({ value, checked }) => [value, checked])
    expect(methods).toEqual([
      ['passphrase', true],
      ['passkey', false],
      ['gateway', false],
    ])
    await press('Continue')
    await shows('Choose a passphrase')
    await type('Passphrase', 'violet harbor Tuesday magnet')
    await type('Repeat passphrase', 'violet harbor Tuesday magnet')
    await press('Continue')
    await finished
    expect(names(asked)).toEqual(['createWallet', 'done'])
    expect(asked[0]?.payload).toMatchObject({ addresses, recovery: { method: 'passphrase', memory: 65_536 } })
  })

  it('offers the passkey first where the browser has it, and no service if the project forbids it', async () => {
    open({ context, tools: { hasPasskey: true, rule: 'hardened' } })
    await shows('Keep your wallet safe')
    expect([...document.querySelectorAll('input')].map(({ value }) => value)).toEqual(['passkey', 'passphrase'])
  })

  it('that exists already is not made again', async () => {
    const { asked, finished } = open({ context: { purpose: 'create' } })
    await finished
    expect(names(asked)).toEqual(['done'])
  })
})

describe('recovery', () => {
  const choose = async (method: string) => {
    const input = await arrival(() => {
      const node = document.querySelector<HTMLInputElement>(`input[value="${method}"]`)
      if (node === null) throw new Error('No choice')
      return node
    })
    input.click()
    await press('Continue')
  }
  const answers = { confirm: () => ({ needsCode: true }) }

  it('shows the three methods and the current one, and needs a choice', async () => {
    open({ context: { purpose: 'recovery' } })
    await shows('In use')
    for (const method of ['gateway', 'passkey', 'passphrase'] as const)
      expect(text()).toContain(say(`recovery.${method}.against`))
    await press('Continue')
    await shows('Choose how to recover')
  })

  it('3. changes to a passphrase after the new code, and says what that does not reach', async () => {
    const { asked, finished } = open({ context: { purpose: 'recovery' }, answers })
    await choose('passphrase')
    await type('Passphrase', 'short')
    await press('Continue')
    await shows('7 more characters')
    await type('Passphrase', 'violet harbor Tuesday magnet')
    await type('Repeat passphrase', 'violet harbour Tuesday magnet')
    await press('Continue')
    await shows('The passphrases don’t match.')
    await type('Repeat passphrase', 'violet harbor Tuesday magnet')
    await press('Continue')
    await type('6-digit code', '123456')
    await shows('Someone with an old copy of the servers’ data')
    expect(names(asked)).toEqual(['confirm', 'setRecovery'])
    await press('Done')
    await finished
    expect(names(asked)).toEqual(['confirm', 'setRecovery', 'done'])
    expect(asked[1]?.payload).toMatchObject({ otp: '123456', recovery: { method: 'passphrase', memory: 65_536 } })
    expect(JSON.stringify(asked)).not.toContain('violet')
    await arrival(() => expect(document.querySelector('h2')?.textContent).toBe('Recovery method changed'))
  })

  it('1. changes nothing when cancelled at the code', async () => {
    const { asked } = open({ context: { purpose: 'recovery', recovery: passphrase }, answers })
    await choose('gateway')
    await press('Cancel')
    await shows('In use')
    expect(names(asked)).toEqual(['confirm'])
  })

  it('2. returns to the choice, with the reason, if the browser has no passkeys', async () => {
    open({ context: { purpose: 'recovery' }, answers })
    await choose('passkey')
    await press('Create passkey')
    await shows('This browser doesn’t support passkeys.')
  })

  const passphrase: Recovery = {
    method: 'passphrase',
    publicKey: 'AA',
    wrappedKey: 'AA',
    salt: 'AA',
    memory: 65_536,
    passes: 3,
    lanes: 1,
  }

  it('keeps a passphrase out of the markup, and puts the focus on its field', async () => {
    open({ context: { purpose: 'unlock', recovery: passphrase } })
    await type('Passphrase', 'violet harbor Tuesday magnet')
    expect(document.activeElement?.tagName).toBe('INPUT')
    await press('Show')
    await shows('Hide')
    document.querySelector('input')?.blur()
    expect(document.documentElement.outerHTML).not.toContain('violet')
  })

  it('allows a retry after a wrong passphrase, and sends nothing', async () => {
    const { asked } = open({ context: { purpose: 'unlock', recovery: passphrase } })
    await type('Passphrase', 'whatever it was')
    await press('Unlock')
    await shows('Wrong passphrase')
    expect(asked).toEqual([])
  })
})

describe('keep', () => {
  function storeWith(kept: WalletRecord | null): WindowStore & { written: WalletRecord[] } {
    const written: WalletRecord[] = []
    return {
      written,
      readRecord: async () => written.at(-1) ?? kept,
      writeRecord: async (next) => {
        written.push(next)
      },
    }
  }

  it('1. stores the record first, and only then lets the frame rely on it', async () => {
    const store = storeWith(null)
    const { asked, finished } = open({
      context: { purpose: 'keep' },
      answers: { takeRecord: () => record, kept: () => void expect(store.written).toEqual([record]) },
      tools: { openStore: async () => store },
    })
    await press('Save wallet')
    await finished
    expect(names(asked)).toEqual(['takeRecord', 'kept', 'done'])
  })

  it('3. reports that nothing could be stored', async () => {
    const deaf: WindowStore = { readRecord: async () => null, writeRecord: async () => undefined }
    const { asked } = open({
      context: { purpose: 'keep' },
      answers: { takeRecord: () => record },
      tools: { openStore: async () => deaf },
    })
    await press('Save wallet')
    await shows('This browser blocks storage')
    expect(names(asked)).not.toContain('kept')
  })

  it('2. gives the stored record only after a click', async () => {
    const { asked, finished } = open({
      context: { purpose: 'keep', user: null },
      answers: { giveRecord: () => ({ signedIn: true }) },
      tools: { openStore: async () => storeWith(record) },
    })
    await shows('Open your wallet on this page?')
    expect(text()).toContain('https://dapp.example')
    expect(asked).toEqual([])
    await press('Open my wallet')
    await finished
    expect(names(asked)).toEqual(['giveRecord', 'done'])
  })

  it('has a message for a browser without storage, and for one without a stored wallet', async () => {
    open({ context: { purpose: 'keep' } })
    await shows('This browser blocks storage')
    open({ context: { purpose: 'keep', user: null }, tools: { openStore: async () => storeWith(null) } })
    await shows('No wallet saved yet')
  })
})

describe('approve', () => {
  const context = { purpose: 'approve' } as const
  const button = (name: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)

  it('1. approves the request on show, by its id and digest, and closes', async () => {
    const { asked, finished, push } = open({
      context,
      approval: waiting('a'),
      answers: { approve: () => void push(null) },
    })
    await shows('The text of a')
    await press('Approve')
    await finished
    expect(asked).toEqual([
      { name: 'approve', payload: { id: 'a', digest: 'a'.repeat(64) } },
      { name: 'done', payload: null },
    ])
    await shows('Approved')
  })

  it('1. shows the waiting requests one after the other', async () => {
    const next = new Map([
      ['a', waiting('b', 2)],
      ['b', waiting('c', 1)],
    ])
    const given = { context, approval: waiting('a', 3) }
    const { asked, finished, push } = open({
      ...given,
      answers: {
        approve: () => void push(next.get('a') ?? null),
        reject: (payload) => void push(JSON.stringify(payload) === '{"id":"b"}' ? (next.get('b') ?? null) : null),
      },
    })
    await shows('1 of 3')
    await press('Approve')
    await shows('The text of b')
    expect(text()).toContain('1 of 2')
    await press('Decline')
    await shows('The text of c')
    await press('Decline')
    await finished
    expect(asked.map(({ name, payload }) => [name, payload])).toEqual([
      ['approve', { id: 'a', digest: 'a'.repeat(64) }],
      ['reject', { id: 'b' }],
      ['reject', { id: 'c' }],
    ])
  })

  it('1. ignores further presses until the frame has answered', async () => {
    let answer = () => {}
    const { asked, push } = open({
      context,
      approval: waiting('a'),
      answers: { approve: () => new Promise<void>((resolve) => (answer = resolve)) },
    })
    await press('Approve')
    await shows('Signing')
    push(waiting('b'))
    button('Signing')?.click()
    button('Decline')?.click()
    expect(text()).toContain('The text of a')
    answer()
    await shows('The text of b')
    expect(names(asked)).toEqual(['approve'])
  })

  it('1. a press counts only once it is armed, for each request again', async () => {
    const arm: ((armed: boolean) => void)[] = []
    const { asked, push } = open({
      context,
      approval: waiting('a'),
      tools: {
        watch: (_, onArmed) => {
          arm.push(onArmed)
          return () => undefined
        },
      },
    })
    await shows('The text of a')
    await press('Approve', { isArmed: false })
    expect(asked).toEqual([])
    await arrival(() => expect(arm).toHaveLength(1))
    arm.at(-1)?.(true)
    push(waiting('b'))
    await shows('The text of b')
    await press('Approve', { isArmed: false })
    expect(asked).toEqual([])
    await arrival(() => expect(arm).toHaveLength(2))
    arm.at(-1)?.(true)
    await press('Approve')
    expect(asked).toEqual([{ name: 'approve', payload: { id: 'b', digest: 'b'.repeat(64) } }])
  })

  it('3. says that the request was withdrawn, and closes on demand', async () => {
    const { asked, close, push } = open({ context, approval: waiting('a') })
    await shows('The text of a')
    push(null)
    await shows('The request was withdrawn or declined on the page.')
    await press('Close this window')
    expect(close).toHaveBeenCalled()
    expect(asked).toEqual([])
  })

  it('3. says so too if the decision came too late', async () => {
    const { asked, push } = open({
      context,
      approval: waiting('a'),
      answers: {
        approve: () => {
          push(null)
          throw new Failure('INVALID_REQUEST')
        },
      },
    })
    await press('Approve')
    await shows('The request was withdrawn or declined on the page.')
    expect(names(asked)).toEqual(['approve'])
  })

  it('3. shows what waits now if nothing does any more', async () => {
    open({ context, approval: null })
    await shows('The request was withdrawn or declined on the page.')
  })

  it('5. tells the frame nothing when it closes without a decision', async () => {
    const { asked, leave } = open({ context, approval: waiting('a') })
    await shows('The text of a')
    leave()
    unmount()
    expect(asked).toEqual([])
  })
})

describe('a double click that opened the window', () => {
  it.each<[string, Given]>([
    ['Save wallet', { context: { purpose: 'keep' } }],
    ['Open my wallet', { context: { purpose: 'keep', user: null } }],
    ['I understand', { context: { purpose: 'export' } }],
    ['Use passkey', { context: { purpose: 'unlock', recovery: { ...passkey } } }],
  ])('does not press %s', async (name, given) => {
    const never: WatchArming = () => () => undefined
    const store: WindowStore = { readRecord: async () => record, writeRecord: async () => undefined }
    const { asked } = open({ ...given, tools: { watch: never, openStore: async () => store } })
    await press(name, { isArmed: false })
    expect(asked).toEqual([])
  })
})
