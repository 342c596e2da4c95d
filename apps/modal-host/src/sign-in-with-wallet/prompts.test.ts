import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { address, elsewhere, methods, out, setUp, signature, signing } from '../testing/sign-in-world'

describe('createSignInPrompts', () => {
  it('1. asks a connected user without a session; 2. stores the session and closes (spec §2, §4)', async () => {
    const world = setUp()
    world.connect()
    await world.asks()
    expect(world.store.getState()).toMatchObject({ open: true, opening: { view: 'SIWXSignMessage' } })
    world.prompts.sign()
    await expect.poll(() => world.prompt()).toBe(null)
    expect(world.ask.mock.calls[0]?.[0]).toMatchObject({
      namespace: 'eip155',
      networkId: 'eip155:1',
      method: 'personal_sign',
      params: [`0x${Buffer.from(`Sign in ${address}`).toString('hex')}`, address],
    })
    expect(world.asked.at(-1)).toMatchObject({ method: 'siwxAddSession', params: { session: { signature } } })
    expect(world.store.getState().open).toBe(false)
  })

  it('1. does not ask with a session, or on a network that the dapp does not support until the wallet leaves it (spec §4)', async () => {
    const world = setUp({ page: { state: async () => ({ ...out, isSignedIn: true }) } })
    world.connect()
    await expect.poll(() => world.prompt()).toBe(null)
    expect(world.store.getState().open).toBe(false)
    const stranger = setUp()
    stranger.set('eip155', elsewhere)
    expect(stranger.asked).toEqual([])
    stranger.connect()
    await stranger.asks()
  })

  it('1. checks another account and another network, but not the same one again', async () => {
    const world = setUp({ page: { state: async () => ({ ...out, isSignedIn: true }) } })
    world.connect()
    world.connect('eip155:1', address.toLowerCase())
    world.connect('eip155:10')
    world.connect('eip155:10', '0x01')
    expect(world.asked.map(({ params }) => params)).toEqual([
      { chainId: 'eip155:1', address },
      { chainId: 'eip155:10', address },
      { chainId: 'eip155:10', address: '0x01' },
    ])
  })

  it('1. asks for several namespaces one after the other', async () => {
    const sol = 'Dev1'.padEnd(32, '1')
    const world = setUp({ rpc: async ({ method }) => (method === 'personal_sign' ? signature : { signature }) })
    world.connect()
    world.connect('solana:dev', sol)
    await world.asks()
    expect(world.prompt()?.namespace).toBe('eip155')
    world.prompts.sign()
    await expect.poll(() => world.prompt()).toMatchObject({ namespace: 'solana', step: 'asked' })
    expect(world.store.getState().open).toBe(true)
    world.prompts.sign()
    await expect.poll(() => world.prompt()).toBe(null)
    expect(world.ask.mock.calls[1]?.[0]).toMatchObject({ method: 'solana_signMessage', params: { pubkey: sol } })
    expect(world.store.getState().open).toBe(false)
  })

  it.each([
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', undefined],
    ['bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', 'bip322'],
  ])('1. omits the protocol for Bitcoin wallets, except BIP-322 for taproot: %s', async (who, protocol) => {
    const world = setUp({ rpc: async () => ({ signature }) })
    world.connect('bip122:dev', who)
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.prompt()).toBe(null)
    expect(world.ask.mock.calls[0]?.[0]).toEqual({
      namespace: 'bip122',
      networkId: 'bip122:dev',
      method: 'bip122_signMessage',
      params: { address: who, message: `Sign in ${who}`, ...(protocol !== undefined && { protocol }) },
    })
  })

  it.each([
    ['Send', 'Send'],
    ['Pay', 'Pay'],
    ['Networks', null],
  ] as const)('2. returns to the view that it covered if that is in progress: %s', async (view, after) => {
    const world = setUp()
    const closed = vi.fn()
    world.modal.onClose(closed)
    const payment = { networkId: 'eip155:1', amount: '1', recipient: address } as const
    world.store.setState({ open: true, opening: { key: 7, view }, payment })
    world.connect()
    await world.asks()
    expect(world.store.getState().opening.view).toBe('SIWXSignMessage')
    world.prompts.sign()
    await expect.poll(() => world.prompt()).toBe(null)
    expect(world.store.getState().open).toBe(after !== null)
    if (after !== null) expect(world.store.getState().opening.view).toBe(after)
    expect(closed).toHaveBeenCalledTimes(after === null ? 1 : 0)
  })

  it('2. does not return to a payment that is over', async () => {
    const world = setUp()
    world.store.setState({ open: true, opening: { key: 7, view: 'Pay' } })
    world.connect()
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.store.getState()).toMatchObject({ signInPrompt: null, open: false })
  })

  it('3. shows the error and allows a retry: declined, rejected by the page, smart account (spec §4, §8)', async () => {
    const no = async () => Promise.reject(new Failure('USER_REJECTED'))
    const world = setUp({ rpc: no })
    world.connect()
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.prompt()?.error).toMatchObject({ message: 'Signature declined' })
    world.ask.mockImplementation(async () => signature)
    world.answers.add = async () => Promise.reject(new Failure('INTERNAL', { message: 'Nonce is used up' }))
    world.prompts.sign()
    await expect
      .poll(() => world.prompt()?.error)
      .toMatchObject({ code: 'SIWX_CALLBACK_FAILED', detail: 'Nonce is used up' })
    world.answers.add = async () => null
    world.prompts.sign()
    await expect.poll(() => world.prompt()).toBe(null)

    const smart = setUp({ accountType: 'smartAccount', rpc: async () => Promise.reject(new Failure('INTERNAL')) })
    smart.connect()
    await smart.asks()
    smart.prompts.sign()
    await expect.poll(() => smart.prompt()?.error?.message).toBe('This application might not support Smart Accounts')
  })

  it.each([
    ['throws', new Failure('INTERNAL', { message: 'No nonce today' })],
    ['hangs', new Failure('TIMEOUT')],
  ])(
    '3. a page that %s when it creates the message: shows the error without the wallet, and a retry works',
    async (_, failure) => {
      const world = setUp()
      const { create } = world.answers
      world.answers.create = async () => Promise.reject(failure)
      world.connect()
      await world.asks()
      world.prompts.sign()
      await expect
        .poll(() => world.prompt()?.error)
        .toMatchObject({ code: 'SIWX_CALLBACK_FAILED', detail: failure.message })
      expect(world.ask).not.toHaveBeenCalled()
      expect(world.disconnect).not.toHaveBeenCalled()
      world.answers.create = create
      world.prompts.sign()
      await expect.poll(() => world.prompt()).toBe(null)
      expect(world.asked.at(-1)).toMatchObject({ method: 'siwxAddSession' })
    },
  )

  it('3. reopens its view if the modal was closed in the meantime (spec §4)', async () => {
    const { world, refuse } = await signing({ state: async () => ({ ...out, isRequired: false }) })
    world.store.setState({ open: false })
    refuse(new Failure('USER_REJECTED'))
    await expect.poll(() => world.store.getState()).toMatchObject({ open: true })
    expect(world.store.getState().opening.view).toBe('SIWXSignMessage')
  })

  it('4. cancel: required disconnects and shows Connect; optional closes and does not ask again (spec §4)', async () => {
    const required = setUp()
    required.connect()
    await required.asks()
    await required.prompts.cancel()
    expect(required.disconnect).toHaveBeenCalledWith('eip155')
    expect(required.store.getState()).toMatchObject({ open: true, opening: { view: 'Connect' }, signInPrompt: null })

    const optional = setUp({ page: { state: async () => ({ ...out, isRequired: false }) } })
    optional.connect()
    await optional.asks()
    await optional.prompts.cancel()
    expect(optional.disconnect).not.toHaveBeenCalled()
    expect(optional.store.getState()).toMatchObject({ open: false, signInPrompt: null })
    optional.connect()
    optional.prompts.lookAgain()
    expect(methods(optional)).toEqual(['siwxGetState'])
  })

  it.each([
    ['throws', async () => Promise.reject(new Failure('INTERNAL'))],
    ['hangs', async () => Promise.reject(new Failure('TIMEOUT'))],
  ])(
    '5. a page that %s when asked for its sessions: disconnects, shows Connect and the error (spec §4, §8)',
    async (_, state) => {
      const world = setUp({ page: { state } })
      world.store.setState({ open: true })
      world.connect()
      await expect.poll(() => world.disconnect).toHaveBeenCalledWith('eip155')
      await expect
        .poll(() => world.store.getState())
        .toMatchObject({
          snackbar: { text: 'A problem occurred while trying initialize authentication' },
          opening: { view: 'Connect' },
        })
    },
  )

  it('5. a page that answered before keeps its last answer, and is asked again', async () => {
    const world = setUp({ page: { state: async () => ({ ...out, isSignedIn: true }) } })
    world.connect()
    await expect.poll(() => world.prompt()).toBe(null)
    world.answers.state = async () => Promise.reject(new Failure('TIMEOUT'))
    world.prompts.lookAgain()
    await expect.poll(() => world.clock.pending()).toBe(1)
    expect(world.disconnect).not.toHaveBeenCalled()
    expect(world.store.getState()).toMatchObject({ open: false, signInPrompt: null })
    world.answers.state = async () => out
    world.clock.advance(30_000)
    await world.asks()
  })

  it('6. a required prompt cannot be closed or replaced (spec §4)', async () => {
    const world = setUp()
    world.connect()
    await world.asks()
    expect(world.modal.close()).toBe(false)
    expect(world.store.getState()).toMatchObject({ open: true, refusedCloses: 1 })
    world.modal.open('Account')
    expect(world.store.getState().opening.view).toBe('SIWXSignMessage')
    world.modal.open('ApproveTransaction')
    expect(world.store.getState().opening.view).toBe('ApproveTransaction')
    expect(world.modal.close()).toBe(false)
    expect(world.store.getState()).toMatchObject({ open: true, opening: { view: 'SIWXSignMessage' } })
  })

  it('6. optional: a close declines', async () => {
    const world = setUp({ page: { state: async () => ({ ...out, isRequired: false }) } })
    world.connect()
    await world.asks()
    expect(world.modal.close()).toBe(true)
    expect(world.prompt()).toBe(null)
  })

  it('4. ignores sign while disconnecting, and reports a disconnect that fails (spec §8)', async () => {
    const world = setUp()
    world.connect()
    await world.asks()
    let fail = () => {}
    world.disconnect.mockImplementationOnce(
      () =>
        new Promise((_, reject) => {
          fail = () => reject(new Failure('INTERNAL'))
        }),
    )
    const left = world.prompts.cancel()
    world.prompts.sign()
    expect(world.prompt()).toMatchObject({ step: 'checking', isRequired: true })
    fail()
    await left
    expect(world.ask).not.toHaveBeenCalled()
    expect(world.store.getState()).toMatchObject({ snackbar: { text: 'Failed to disconnect' }, signInPrompt: null })
  })

  it('5. disconnected while the modal is closed: shows the reason at the next opening', async () => {
    const world = setUp({ page: { state: async () => Promise.reject(new Failure('TIMEOUT')) } })
    world.connect()
    await expect.poll(() => world.disconnect).toHaveBeenCalled()
    expect(world.store.getState()).toMatchObject({ open: false, snackbar: null })
    world.modal.open('Connect')
    await expect
      .poll(() => world.store.getState().snackbar?.text)
      .toBe('A problem occurred while trying initialize authentication')
  })

  it('3. names smart accounts as the likely reason when the page rejects their signature (spec §8)', async () => {
    const world = setUp({ accountType: 'smartAccount' })
    world.answers.add = async () => Promise.reject(new Failure('INTERNAL', { message: 'Unknown signature' }))
    world.connect()
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.prompt()?.error?.message).toBe('This application might not support Smart Accounts')
  })

  it('3. says that the wallet changed the message, which no server would accept', async () => {
    const world = setUp({ rpc: async () => ({ signature, signedMessage: 'changed' }) })
    world.connect('solana:dev', 'Dev1'.padEnd(32, '1'))
    await world.asks()
    world.prompts.sign()
    await expect
      .poll(() => world.prompt()?.error)
      .toMatchObject({
        code: 'SIWX_CALLBACK_FAILED',
        detail: 'The wallet changed the message before it signed it',
      })
    expect(world.asked.map(({ method }) => method)).not.toContain('siwxAddSession')
  })

  it('9. asks the embedded wallet at once; after a failure the view comes first', async () => {
    const world = setUp({ type: 'AUTH', rpc: async () => Promise.reject(new Failure('USER_REJECTED')) })
    world.connect()
    await expect.poll(() => world.prompt()?.error?.code).toBe('SIGNATURE_DECLINED')
    expect(world.ask).toHaveBeenCalledTimes(1)
    expect(world.store.getState()).toMatchObject({ open: true, opening: { view: 'SIWXSignMessage' } })
  })

  it.each([
    ['account', { accountAddress: '0x01' }],
    ['chain', { chainId: 'eip155:10' }],
  ])('10. does not sign a message for another %s', async (_, wrong) => {
    const world = setUp()
    const { create } = world.answers
    world.answers.create = async (...args) => {
      const made = (await create(...args)) as { data: object; message: string }
      return { ...made, data: { ...made.data, ...wrong } }
    }
    world.connect()
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.prompt()?.error?.code).toBe('SIWX_CALLBACK_FAILED')
    expect(world.ask).not.toHaveBeenCalled()
  })

  it.each([
    ['for another site', (text: string) => `bank.example wants you to sign in with your Ethereum account:\n${text}`],
    ['that names another account', () => 'Sign in 0x01'],
  ])('10. does not show the wallet a text %s', async (_, forge) => {
    const world = setUp()
    const { create } = world.answers
    world.answers.create = async (...args) => {
      const made = (await create(...args)) as { data: object; message: string }
      return { ...made, message: forge(made.message) }
    }
    world.connect()
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.prompt()?.error?.code).toBe('SIWX_CALLBACK_FAILED')
    expect(world.ask).not.toHaveBeenCalled()
  })

  it('5. an earlier answer does not apply to the next account: a failing page ends the connection', async () => {
    const world = setUp({ page: { state: async () => ({ ...out, isSignedIn: true }) } })
    world.connect()
    await expect.poll(() => world.prompt()).toBe(null)
    world.answers.state = async () => Promise.reject(new Failure('TIMEOUT'))
    world.connect('eip155:1', '0x02')
    await expect.poll(() => world.disconnect).toHaveBeenCalledWith('eip155')
  })

  it.each(['signed in', 'left alone'])(
    '1. optional: asks for another account after the previous one was %s',
    async (how) => {
      let isSignedIn = how === 'signed in'
      const world = setUp({ page: { state: async () => ({ ...out, isRequired: false, isSignedIn }) } })
      world.connect()
      if (isSignedIn) await expect.poll(() => world.prompt()).toBe(null)
      else {
        await world.asks()
        await world.prompts.cancel()
      }
      isSignedIn = false
      world.connect('eip155:1', '0x02')
      await expect.poll(() => world.prompt()).toMatchObject({ address: '0x02', step: 'asked' })
    },
  )

  it('10. a move to a network that is not configured ends the attempt', async () => {
    const { world, answer } = await signing()
    world.set('eip155', elsewhere)
    answer(signature)
    expect(world.ask.mock.calls[0]?.[1].aborted).toBe(true)
    await Promise.resolve()
    expect(methods(world)).not.toContain('siwxAddSession')
    expect(world.prompt()).toBe(null)
  })

  it('10. an account change during signing ends the attempt: its session is not stored', async () => {
    const { world, answer } = await signing()
    world.connect('eip155:1', '0x02')
    answer(signature)
    await expect.poll(() => world.prompt()).toMatchObject({ address: '0x02', step: 'asked', error: null })
    expect(methods(world)).not.toContain('siwxAddSession')
  })

  it('the older configuration has its own view, and is EVM only (spec §2)', async () => {
    const world = setUp({ view: 'ConnectingSiwe' })
    world.connect('solana:dev', 'Dev1'.padEnd(32, '1'))
    expect(world.asked).toEqual([])
    world.connect()
    await world.asks()
    expect(world.store.getState().opening.view).toBe('ConnectingSiwe')
  })
})
