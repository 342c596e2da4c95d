import { describe, expect, it } from 'vitest'
import { address, elsewhere, methods, out, setUp } from '../testing/sign-in-world'

describe('createSignInPrompts: the end of a session, and of a connection', () => {
  const chains = ['eip155:1', 'eip155:10'].map((chainId) => ({ chainId, address }))
  const revoked = (world: ReturnType<typeof setUp>) =>
    world.asked.filter(({ method }) => method === 'siwxRevokeSession').map(({ params }) => params)
  const onlyOn = (signedInOn: string) => async (chainId: string) => ({ ...out, isSignedIn: chainId === signedInOn })

  it('7. a session that expires while the page is open: asks again only if required', async () => {
    for (const isRequired of [true, false]) {
      let isSignedIn = true
      const world = setUp({
        page: { state: async () => ({ ...out, isRequired, isSignedIn, expiresAt: isSignedIn ? 1_060_000 : null }) },
      })
      world.connect()
      await expect.poll(() => world.prompt()).toBe(null)
      isSignedIn = false
      world.clock.advance(60_000)
      await expect.poll(() => methods(world)).toEqual(['siwxGetState', 'siwxGetState'])
      if (isRequired) await world.asks()
      else await expect.poll(() => world.prompt()).toBe(null)
      expect(world.store.getState().open).toBe(isRequired)
      world.prompts.end()
    }
  })

  it('7. a session from another tab settles the prompt', async () => {
    const world = setUp()
    world.connect()
    await world.asks()
    world.answers.state = async () => ({ ...out, isSignedIn: true })
    world.prompts.lookAgain()
    await expect.poll(() => world.store.getState()).toMatchObject({ signInPrompt: null, open: false })
  })

  it.each([true, false])(
    '8. the end of the connection ends its account’s sessions on every chain if the page wants that (%s)',
    async (ends) => {
      const world = setUp({ page: { state: async () => ({ ...out, isSignedIn: true, endsWithConnection: ends }) } })
      world.connect()
      await expect.poll(() => world.prompt()).toBe(null)
      world.set('eip155', { status: 'disconnected' })
      await expect.poll(() => world.request).toHaveBeenCalledTimes(ends ? 5 : 3)
      expect(revoked(world)).toEqual(ends ? chains : [])
    },
  )

  it('8. also after a move to another network where the user did not sign in', async () => {
    const world = setUp({ page: { state: onlyOn('eip155:1') } })
    world.connect('eip155:1')
    await expect.poll(() => world.prompt()).toBe(null)
    world.connect('eip155:10')
    await world.asks()
    await world.prompts.cancel()
    await expect.poll(() => revoked(world)).toEqual(chains.slice(0, 1))
  })

  it.each(['on an unconfigured network', 'sign-in declined', 'during the check'])(
    '8. also if the user was not signed in when they left: %s',
    async (how) => {
      const world = setUp({ page: { state: onlyOn('eip155:1') } })
      world.connect('eip155:1')
      await expect.poll(() => world.prompt()).toBe(null)
      if (how === 'sign-in declined') {
        world.answers.state = async (chainId) => ({ ...(await onlyOn('eip155:1')(chainId)), isRequired: false })
        world.connect('eip155:10')
        await world.asks()
        await world.prompts.cancel()
      } else if (how === 'during the check') world.connect('eip155:10')
      else world.set('eip155', elsewhere)
      world.set('eip155', { status: 'disconnected' })
      await expect.poll(() => revoked(world)).toEqual(chains.slice(0, 1))
    },
  )

  function held() {
    let settle = () => {}
    const settled = new Promise<void>((resolve) => {
      settle = resolve
    })
    return { settle, settled }
  }

  it('4. a cancel before it is known whether sign-in is required only closes: the user is still asked', async () => {
    const answer = held()
    const world = setUp({ page: { state: () => answer.settled.then(() => out) } })
    world.connect()
    world.modal.open('SIWXSignMessage')
    expect(world.prompt()?.step).toBe('checking')
    await world.prompts.cancel()
    expect(world.store.getState().open).toBe(false)
    answer.settle()
    await world.asks()
    expect(world.store.getState()).toMatchObject({ open: true, opening: { view: 'SIWXSignMessage' } })
  })

  it('4. a second cancel while the wallet disconnects does nothing', async () => {
    const world = setUp()
    world.connect()
    await world.asks()
    const goodbye = held()
    world.disconnect.mockImplementationOnce(() => goodbye.settled)
    const left = world.prompts.cancel()
    await world.prompts.cancel()
    expect(world.disconnect).toHaveBeenCalledTimes(1)
    expect(world.events.map(({ kind }) => kind)).toEqual(['cancelClicked'])
    goodbye.settle()
    await left
  })

  it('4. a user who reconnects before the disconnect has finished is asked, and stays asked', async () => {
    const world = setUp()
    world.connect()
    await world.asks()
    const goodbye = held()
    world.disconnect.mockImplementationOnce(async (namespace) => {
      world.set(namespace, { status: 'disconnected' })
      await goodbye.settled
    })
    const left = world.prompts.cancel()
    world.connect('eip155:1', '0x02')
    await world.asks()
    goodbye.settle()
    await left
    expect(world.prompt()).toMatchObject({ address: '0x02', step: 'asked' })
  })

  it('8. a user who reconnects is checked once the sessions have ended', async () => {
    const ended = new Set<string>()
    const world = setUp({ page: { state: async (chainId) => ({ ...out, isSignedIn: !ended.has(chainId) }) } })
    world.connect()
    await expect.poll(() => world.prompt()).toBe(null)
    const end = held()
    const answer = world.request.getMockImplementation()
    world.request.mockImplementation(async (method, params, options) => {
      if (method === 'siwxRevokeSession') await end.settled
      return answer?.(method, params, options)
    })
    world.set('eip155', { status: 'disconnected' })
    world.connect()
    await expect.poll(() => world.request.mock.calls.at(-1)?.[0]).toBe('siwxRevokeSession')
    expect(world.prompt()?.step).toBe('checking')
    for (const { chainId } of chains) ended.add(chainId)
    end.settle()
    await world.asks()
  })
})
