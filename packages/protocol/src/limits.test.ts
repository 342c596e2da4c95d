import { describe, expect, it } from 'vitest'
import * as limits from './limits'
import { operationSigns, swapChainIds } from './operations'

describe('limits', () => {
  it('match spec §9, in milliseconds', () => {
    const seconds = (value: number) => value / 1_000
    expect({
      portfolio: seconds(limits.portfolioCache),
      nativeBalance: seconds(limits.nativeBalanceCache),
      ens: seconds(limits.ensCache),
      identity: seconds(limits.identityCache),
      emailLogin: seconds(limits.emailLoginCooldown),
      pairingExpiry: seconds(limits.pairingExpiryThreshold),
      pairing: seconds(limits.pairingLifetime),
      retry: seconds(limits.connectRetryDelay),
      iframe: seconds(limits.iframeReadyTimeout),
      request: seconds(limits.walletFrameRequestTimeout),
      rpc: seconds(limits.rpcTimeout),
      polling: seconds(limits.rpcPollingInterval),
      pendingPolling: seconds(limits.pendingTransactionPollingInterval),
      receipt: seconds(limits.receiptTimeout),
      sending: seconds(limits.sendTransactionWait),
      tokenBalanceRetry: seconds(limits.tokenBalanceRetryDelay),
    }).toEqual({
      portfolio: 30,
      nativeBalance: 30,
      ens: 300,
      identity: 300,
      emailLogin: 30,
      pairingExpiry: 10,
      pairing: 240,
      retry: 1,
      iframe: 20,
      request: 30,
      rpc: 10,
      polling: 4,
      pendingPolling: 30,
      receipt: 180,
      sending: 25,
      tokenBalanceRetry: 30,
    })
  })

  it('match the spec: debounce, multicall bytes, swap slippage', () => {
    expect([limits.debounce, limits.multicallBatchBytes, limits.swapSlippagePercent]).toEqual([500, 1_024, 1])
  })

  it('list the swap networks', () => {
    expect(swapChainIds).toEqual([1, 10, 56, 100, 137, 250, 324, 8453, 8217, 42_161, 43_114, 1_313_161_554])
  })

  it('mark incoming and outgoing operations, and no object prototype member', () => {
    expect([...operationSigns].map(([operation, sign]) => sign + operation)).toEqual([
      '+receive',
      '+deposit',
      '+borrow',
      '+claim',
      '-withdraw',
      '-repay',
      '-burn',
    ])
    expect(operationSigns.get('constructor')).toBeUndefined()
  })
})
