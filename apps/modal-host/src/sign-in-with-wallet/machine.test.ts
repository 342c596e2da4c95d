import type { CaipNetworkId, Connection, Namespace, SignInState } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Account } from './account'
import {
  noPrompts,
  recheckDelayMs,
  reduceSignInPrompts,
  type SignInPromptsCommand,
  type SignInPromptsEvent,
  type SignInPromptsState,
} from './machine'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const evm: Account = { namespace: 'eip155', chainId: 'eip155:1', address }
const other: Account = { ...evm, address: '0x01' }
const solana: Account = { namespace: 'solana', chainId: 'solana:dev', address: 'Dev1'.padEnd(32, '1') }

function connect({ namespace, chainId, address }: Account, changes: { isEmbedded?: boolean } = {}): SignInPromptsEvent {
  const type = changes.isEmbedded ? 'AUTH' : 'ANNOUNCED'
  const connection: Connection = {
    status: 'connected',
    connector: { id: 'w', name: 'Wallet', type },
    accounts: [{ namespace, address, type: 'eoa' }],
    networkId: chainId,
  }
  return { type: 'connection', namespace, connection }
}

function move(networkId: CaipNetworkId): SignInPromptsEvent {
  const connection: Connection = {
    status: 'connected',
    connector: { id: 'w', name: 'Wallet', type: 'ANNOUNCED' },
    accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
    networkId,
    unsupported: true,
  }
  return { type: 'connection', namespace: 'eip155', connection }
}

const disconnect = (namespace: Namespace): SignInPromptsEvent => ({
  type: 'connection',
  namespace,
  connection: { status: 'disconnected' },
})
const checked = (account: Account, state: Partial<SignInState> = {}): SignInPromptsEvent => ({
  type: 'checked',
  account,
  state: { isSignedIn: false, expiresAt: null, isRequired: true, endsWithConnection: true, ...state },
})
const checkFailed = (account: Account): SignInPromptsEvent => ({ type: 'checkFailed', account })
const signed = (account: Account): SignInPromptsEvent => ({ type: 'signed', account, expiresAt: null })
const signFailed = (account: Account): SignInPromptsEvent => ({
  type: 'signFailed',
  account,
  code: 'SIGNATURE_DECLINED',
})
const sign: SignInPromptsEvent = { type: 'sign' }
const cancel: SignInPromptsEvent = { type: 'cancel' }
const close: SignInPromptsEvent = { type: 'close' }
const sessionsChanged: SignInPromptsEvent = { type: 'sessionsChanged' }
const left: SignInPromptsEvent = { type: 'left', namespace: 'eip155' }
const asked = [connect(evm), checked(evm)]
const askedOptionally = [connect(evm), checked(evm, { isRequired: false })]

const reduce = (state: SignInPromptsState, event: SignInPromptsEvent) => reduceSignInPrompts(state, event, 'eip155')

/** The state after these events, and the commands of the last one. */
function after(...events: readonly SignInPromptsEvent[]) {
  let state = noPrompts
  let commands: readonly SignInPromptsCommand[] = []
  for (const event of events) [state, commands] = reduce(state, event)
  return { state, commands }
}

const types = (commands: readonly SignInPromptsCommand[]) => commands.map(({ type }) => type)

describe('reduceSignInPrompts', () => {
  it('1. checks a new account, and asks if it has no session', () => {
    const connected = after(connect(evm))
    expect(connected.state.prompt?.step).toBe('checking')
    expect(connected.commands.at(-1)).toEqual({ type: 'check', account: evm })
    const [state, commands] = reduce(connected.state, checked(evm))
    expect(state.prompt).toMatchObject({ step: 'asked', isRequired: true, address })
    expect(types(commands)).toEqual(['show'])
  })

  it('1. does not ask with a session, or on an unconfigured network', () => {
    expect(after(connect(evm), checked(evm, { isSignedIn: true })).state.prompt).toBeNull()
    expect(types(after(move('eip155:99')).commands)).toEqual(['stop'])
  })

  it('1. checks the same account once', () => {
    const { commands } = after(...asked, connect({ ...evm, address: address.toLowerCase() }))
    expect(commands).toEqual([])
  })

  it('1. asks the next namespace after the first', () => {
    const both = [...asked, connect(solana), checked(solana), sign]
    expect(after(...both).state.prompt?.namespace).toBe('eip155')
    const { state, commands } = after(...both, signed(evm))
    expect(state.prompt).toMatchObject({ namespace: 'solana', step: 'checking' })
    expect(types(commands)).toEqual(['stop', 'check', 'report'])
  })

  it('2. ends the prompt, goes back and reports the success', () => {
    const { state, commands } = after(...asked, sign, signed(evm))
    expect(state.prompt).toBeNull()
    expect(types(commands)).toEqual(['stop', 'goBackIfShown', 'report'])
  })

  it('3. shows the error, and signs again on a click', () => {
    const { state, commands } = after(...asked, sign, signFailed(evm))
    expect(state.prompt).toMatchObject({ step: 'asked', error: { code: 'SIGNATURE_DECLINED' } })
    expect(types(commands)).toEqual(['report', 'showError'])
    expect(reduce(state, sign)[0].prompt).toMatchObject({ step: 'preparing', error: null })
  })

  it('4. cancel: required disconnects, then shows Connect', () => {
    const { state, commands } = after(...asked, cancel)
    expect(types(commands)).toEqual(['report', 'leave'])
    expect(state.prompt).toMatchObject({ step: 'checking', isRequired: true })
    expect(types(reduce(state, sign)[1])).toEqual([])
    expect(types(reduce(state, cancel)[1])).toEqual(['closeModal'])
    expect(reduce(state, left)).toMatchObject([{ prompt: null }, [{ type: 'openConnect' }]])
  })

  it('4. cancel: optional goes back, and does not ask this account again', () => {
    const { state, commands } = after(...askedOptionally, cancel)
    expect([state.prompt, types(commands)]).toEqual([null, ['report', 'stop', 'goBack']])
    expect(reduce(state, sessionsChanged)[1]).toEqual([])
  })

  it('4. another account that connected during the disconnect stays', () => {
    const { state, commands } = after(...asked, cancel, disconnect('eip155'), connect(other), checked(other), left)
    expect([state.prompt?.address, commands]).toEqual(['0x01', []])
  })

  it('5. a page that never answered: disconnects', () => {
    const { commands } = after(connect(evm), checkFailed(evm))
    expect(commands).toEqual([{ type: 'leave', namespace: 'eip155', reason: 'checkFailed' }])
  })

  it.each([
    ['signed in', [connect(evm), checked(evm, { isSignedIn: true })], null],
    ['asked', asked, 'asked'],
    ['asked, and checked twice', [...asked, sessionsChanged], 'asked'],
  ] as const)('5. a page that answered before is asked again after a delay: %s', (_, events, step) => {
    const { state, commands } = after(...events, sessionsChanged, checkFailed(evm))
    expect(state.prompt?.step ?? null).toBe(step)
    expect(commands).toEqual([{ type: 'checkAfter', namespace: 'eip155', delayMs: recheckDelayMs }])
  })

  it('5. a failed check of one namespace leaves the prompt of another', () => {
    expect(after(...asked, connect(solana), checkFailed(solana)).state.prompt).toMatchObject({ step: 'asked', address })
  })

  it.each([true, false])('7. a session that ended is asked for again only if required (%s)', (isRequired) => {
    const events = [connect(evm), checked(evm, { isSignedIn: true, expiresAt: 5 })]
    expect(after(...events).commands).toContainEqual({ type: 'checkAt', namespace: 'eip155', expiresAt: 5 })
    const { state } = after(...events, { type: 'checkDue', namespace: 'eip155' }, checked(evm, { isRequired }))
    expect(state.prompt?.step).toBe(isRequired ? 'asked' : undefined)
  })

  it('8. the end of a connection ends the sessions of its account', () => {
    const signOut = { type: 'signOut', namespace: 'eip155', address }
    expect(after(...asked, disconnect('eip155')).commands).toContainEqual(signOut)
    expect(after(...asked, move('eip155:99'), disconnect('eip155')).commands).toContainEqual(signOut)
    expect(types(after(disconnect('eip155')).commands)).toEqual(['stop'])
  })

  it('9. the embedded wallet signs at once', () => {
    const { state, commands } = after(connect(evm, { isEmbedded: true }), checked(evm))
    expect([state.prompt?.step, types(commands)]).toEqual(['preparing', ['sign']])
  })

  it('10. another account ends the attempt', () => {
    const { state } = after(...asked, sign, connect(other))
    expect(reduce(state, signed(evm))).toEqual([state, []])
    expect(state.prompt).toMatchObject({ address: '0x01', step: 'checking' })
  })

  it('11. a close declines an optional sign-in and reports nothing', () => {
    const { state, commands } = after(...askedOptionally, close)
    expect([state.prompt, types(commands)]).toEqual([null, ['stop']])
  })

  it.each([checked(evm), checkFailed(evm), signed(evm), signFailed(evm), sign, cancel, close])(
    '12. $type without its task or prompt changes nothing',
    (event) => {
      const { state } = after(connect(evm), checked(evm, { isSignedIn: true }))
      expect(reduce(state, event)).toEqual([state, []])
    },
  )

  it('keeps its requirements for any sequence of events', () => {
    const account = fc.constantFrom(evm, other, solana)
    const event: fc.Arbitrary<SignInPromptsEvent> = fc.oneof(
      account.map((one) => connect(one)),
      account.map(({ namespace }) => disconnect(namespace)),
      fc
        .tuple(account, fc.boolean(), fc.boolean())
        .map(([one, isSignedIn, isRequired]) => checked(one, { isSignedIn, isRequired })),
      account.map(checkFailed),
      account.map(signed),
      account.map(signFailed),
      account.map(({ namespace }): SignInPromptsEvent => ({ type: 'left', namespace })),
      fc.constantFrom(sign, cancel, close, sessionsChanged),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = noPrompts
        for (const next of events) {
          const [changed, commands] = reduce(state, next)
          const { prompt, slots } = changed
          // A prompt is about the connected account, and shows what runs.
          if (prompt !== null) {
            const slot = slots[prompt.namespace]
            expect(slot?.account?.address).toBe(prompt.address)
            const isSigning = prompt.step === 'preparing' || prompt.step === 'signing' || prompt.step === 'saving'
            expect(slot?.task === 'sign').toBe(isSigning)
          }
          for (const command of commands)
            if (command.type === 'sign')
              expect(prompt).toMatchObject({ step: 'preparing', address: command.account.address })
          state = changed
        }
      }),
    )
  })
})
