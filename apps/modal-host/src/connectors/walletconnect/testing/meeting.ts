import { namespaces as everyNamespace, type Namespace } from '@postern/protocol'
import { afterEach, beforeEach, vi } from 'vitest'
import type { GrantedConnector, MultiConnector } from '../../connector'
import { createWalletConnect } from '../index'
import type { WalletConnectOptions } from '../options'
import { type RunningRelay, startRelay } from './relay'
import { hostOptions } from './set-up'
import { createTestWallet, type TestWallet } from './test-wallet'

export type Attempt = {
  readonly codes: string[]
  readonly granted: Promise<readonly GrantedConnector[]>
  readonly abort: () => void
  readonly code: () => Promise<string>
}

export function eachTestMeets() {
  let met: { readonly relay: RunningRelay; readonly wallet: TestWallet } | null = null
  let ends: (() => void)[] = []

  beforeEach(async () => {
    const relay = await startRelay({ port: 0 })
    met = { relay, wallet: await createTestWallet(relay.url) }
  })

  afterEach(async () => {
    for (const end of ends) end()
    ends = []
    await met?.wallet.end()
    await met?.relay.stop()
  })

  function here() {
    if (met === null) throw new Error('Only within a test')
    return met
  }

  return {
    get relay() {
      return here().relay
    },
    get wallet() {
      return here().wallet
    },
    endWithTest: (end: () => void) => void ends.push(end),
    host(changes: Partial<WalletConnectOptions> = {}) {
      const { options, clock } = hostOptions(here().relay.url, changes)
      const multi = createWalletConnect(options)
      ends.push(multi.end)
      return { multi, options, clock }
    },
  }
}

export function begin(multi: MultiConnector, namespaces: readonly Namespace[] = everyNamespace): Attempt {
  const controller = new AbortController()
  const codes: string[] = []
  const granted = multi.connect({
    row: { name: 'WalletConnect' },
    namespaces,
    signal: controller.signal,
    onPairing: (pairing) => {
      if (pairing !== null) codes.push(pairing.uri)
    },
  })
  granted.catch(() => {})
  return {
    codes,
    granted,
    abort: () => controller.abort(),
    code: () => vi.waitUntil(() => codes.at(-1), { timeout: 15_000 }),
  }
}
