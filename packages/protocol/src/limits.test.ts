import { describe, expect, it } from 'vitest'
import * as limits from './limits'
import { operationSigns, swapChainIds } from './operations'

describe('limits', () => {
  it('match spec §9, in milliseconds (spec §4)', () => {
    const seconds = (value: number) => value / 1_000
    expect({
      portfolio: seconds(limits.portfolioCache),
      nativeBalance: seconds(limits.nativeBalanceCache),
      ens: seconds(limits.ensCache),
      identity: seconds(limits.identityCache),
      emailLogin: seconds(limits.emailLoginCooldownMs),
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

  it('match spec §9: lists, decimals, sizes and animations', () => {
    expect({
      recent: limits.recentWallets,
      wallets: [limits.walletPageEntries, limits.recommendedWallets, limits.walletSearchEntries],
      events: limits.pendingTransactionEvents,
      retries: limits.receiptRetries,
      batch: limits.rpcBatchSize,
      decimals: [limits.balanceDecimals, limits.tokenBalanceDecimals, limits.transferDecimals],
      native: limits.nativeDecimals,
      address: [limits.addressHead, limits.addressTail],
      snackbar: limits.snackbarReshowDelay,
      shake: limits.shake,
      width: limits.modalWidth,
      animations: [limits.headerTextAnimation, limits.modalHeightAnimation, limits.viewTransition],
      zIndex: limits.zIndex,
      wallet: [limits.walletSdkVersion, limits.walletLogLevel, limits.walletChainId],
    }).toEqual({
      recent: 2,
      wallets: [40, 4, 100],
      events: 99,
      retries: 6,
      batch: 1_000,
      decimals: [3, 2, 3],
      native: { eip155: 18, solana: 9, bip122: 8 },
      address: [4, 6],
      snackbar: 150,
      shake: 500,
      width: 360,
      animations: [120, 150, 150],
      zIndex: 999,
      wallet: [4, 'error', 1],
    })
  })

  it('match the spec: debounce, multicall bytes, swap slippage', () => {
    expect([limits.debounce, limits.multicallBatchBytes, limits.swapSlippagePercent]).toEqual([500, 1_024, 1])
  })

  it('list the swap networks (spec §9)', () => {
    expect(swapChainIds).toEqual([1, 10, 56, 100, 137, 250, 324, 8453, 8217, 42_161, 43_114, 1_313_161_554])
  })

  it('mark incoming and outgoing operations, and no object prototype member (spec §9)', () => {
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
