import { limits } from '@postern/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, vi } from 'vitest'
import type { AuthenticateRequest } from '../../eip155/one-click'
import { type Client, openClient } from '../client/client'
import { walletConnectStorage } from '../client/storage'
import { eachTestMeets } from '../testing/meeting'
import { evmAccount, hostOptions, networks } from '../testing/set-up'
import { createPairing } from './pairing'
import { proposedNamespaces } from './proposal'

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const granted = { accounts: [`eip155:1:${evmAccount}`], methods: ['personal_sign'], events: ['accountsChanged'] }
const met = eachTestMeets()

async function opened() {
  const { options, clock } = hostOptions(met.relay.url)
  const client = await openClient({ ...options, storage: walletConnectStorage(options.storage) })
  met.endWithTest(() => void client.core.relayer.transportClose())
  let count = 0
  const make = () => {
    count += 1
    const request: AuthenticateRequest = {
      ...{ chains: ['eip155:1'], methods: ['personal_sign'] },
      ...{ domain: 'dapp.example', uri: 'https://dapp.example', nonce: `nonce000${count}` },
    }
    return createPairing(client, clock, proposedNamespaces(networks, ['eip155']), request)
  }
  return { client, clock, make }
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 10 })

/** 2.25 unsubscribes topics that it does not know, every 5 s; 2.21 has no such cleanup to wait for. */
async function heartbeat(client: Client): Promise<void> {
  client.core.heartbeat.events.emit('heartbeat_pulse')
  if (!('cleanupInProgress' in client.engine)) return
  await waitFor(() => expect(Reflect.get(client.engine, 'cleanupInProgress')).toBe(false))
}

const keysOf = (client: Client) => [...client.core.crypto.keychain.keychain.keys()]

describe('sign-in codes', () => {
  it('1. two created at once each get a session', async () => {
    const { make } = await opened()
    const both = await Promise.all([make(), make()])
    for (const { code, approval } of both) {
      await met.wallet.pair(code.uri)
      await met.wallet.approve({ eip155: granted })
      expect((await approval).namespaces.eip155?.accounts).toEqual(granted.accounts)
    }
  })

  it('1. two created at once each get signatures', async () => {
    const { client, make } = await opened()
    met.wallet.learnToSignIn()
    const both = await Promise.all([make(), make()])
    await heartbeat(client)
    for (const { code, approval } of both) {
      await met.wallet.pair(code.uri)
      await met.wallet.signIn(account, ['eip155:1'])
      expect((await approval).authentication).toHaveLength(1)
    }
  })

  it('2. a replaced code stays valid', async () => {
    const { client, make } = await opened()
    met.wallet.learnToSignIn()
    const first = await make()
    await make()
    await heartbeat(client)
    await met.wallet.pair(first.code.uri)
    await met.wallet.signIn(account, ['eip155:1'])
    expect((await first.approval).authentication).toHaveLength(1)
  })

  it('2. a signature is received even if the wallet missed the drop', async () => {
    const { client, make } = await opened()
    met.wallet.learnToSignIn()
    const { code, approval, drop } = await make()
    await met.wallet.pair(code.uri)
    client.core.pairing.disconnect = async () => {}
    drop()
    await make()
    await met.wallet.signIn(account, ['eip155:1'])
    expect((await approval).authentication).toHaveLength(1)
  })

  it('3. a dropped code leaves nothing once its lifetime ends', async () => {
    const { client, clock, make } = await opened()
    const codes = [await make(), await make(), await make()]
    for (const code of codes) code.drop()
    expect(client.core.relayer.subscriber.topics.length).toBeGreaterThanOrEqual(3)
    clock.advance(limits.pairingLifetime)
    await waitFor(() => {
      expect(client.core.relayer.subscriber.topics).toEqual([])
      expect(keysOf(client)).toEqual(['client_ed25519_seed'])
    })
    expect(client.auth.pairingTopics.length).toBe(0)
    expect(client.auth.authKeys.length).toBe(0)
  })

  it('3. a used code leaves only its session', async () => {
    const { client, make } = await opened()
    const code = await make()
    await met.wallet.pair(code.code.uri)
    await met.wallet.approve({ eip155: granted })
    const { topic } = await code.approval
    await waitFor(() => expect([client.auth.authKeys.length, client.auth.pairingTopics.length]).toEqual([0, 0]))
    expect(client.core.relayer.subscriber.topics).toContain(topic)
  })
})
