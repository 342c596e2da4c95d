import type * as protocol from '@postern/protocol'
import type { createSiwx } from '@postern/siwx'
import type { injected } from '@wagmi/core'
import type { BrowserProvider } from 'ethers-6'
import { createWalletClient, custom, defineChain, type EIP1193Provider } from 'viem'
import type { base, mainnet, sepolia } from 'viem/chains'
import { describe, expectTypeOf, test } from 'vitest'
import type * as z from 'zod/mini'
import type { createPostern } from '../index'
import type * as types from './index'

test('the public types equal the page link’s (spec §3)', () => {
  expectTypeOf<types.Namespace>().toEqualTypeOf<protocol.Namespace>()
  expectTypeOf<types.CaipNetworkId>().toEqualTypeOf<protocol.CaipNetworkId>()
  expectTypeOf<types.Account>().toEqualTypeOf<protocol.Account>()
  expectTypeOf<types.NetworkAlias>().toEqualTypeOf<protocol.NetworkAlias>()
  expectTypeOf<types.NativeCurrency>().toEqualTypeOf<protocol.NativeCurrency>()
  expectTypeOf<types.NetworkDefinition>().toEqualTypeOf<protocol.NetworkDefinition>()
  expectTypeOf<types.Network>().toEqualTypeOf<protocol.Network>()
  expectTypeOf<types.ConnectorSummary>().toEqualTypeOf<protocol.ConnectorSummary>()
  expectTypeOf<types.Connection>().toEqualTypeOf<protocol.Connection>()
  expectTypeOf<types.Connections>().toExtend<protocol.HostState['connections']>()
  expectTypeOf<types.WalletInfo>().toEqualTypeOf<protocol.WalletInfo>()
  expectTypeOf<types.WalletInfos>().toEqualTypeOf<z.infer<typeof protocol.hostEvents.walletInfo>>()
  expectTypeOf<types.Theme>().toEqualTypeOf<protocol.Theme>()
  expectTypeOf<types.Metadata>().toEqualTypeOf<protocol.Metadata>()
  expectTypeOf<types.ViewName>().toEqualTypeOf<protocol.ViewName>()
  expectTypeOf<types.SwapArguments>().toEqualTypeOf<protocol.SwapArguments>()
  expectTypeOf<types.PaymentRequest>().toEqualTypeOf<protocol.PaymentRequest>()
  expectTypeOf<types.PaymentReceipt>().toEqualTypeOf<protocol.PaymentReceipt>()
  expectTypeOf<types.SomeFeatures>().toEqualTypeOf<protocol.SomeFeatures>()
  expectTypeOf<types.CustomWallet>().toEqualTypeOf<protocol.CustomWallet>()
  expectTypeOf<types.ConnectorGroup>().toEqualTypeOf<protocol.ConnectorGroup>()
  expectTypeOf<types.ConnectMethod>().toEqualTypeOf<protocol.ConnectMethod>()
  expectTypeOf<types.ErrorDetails>().toEqualTypeOf<protocol.LinkError>()
})

test('the sign-in message and session equal the page link’s', () => {
  expectTypeOf<types.SignInMessage>().toEqualTypeOf<protocol.SignInMessage>()
  expectTypeOf<types.SignInSession>().toEqualTypeOf<protocol.SignInSession>()
})

test('`createSiwx` returns a plugin', () => {
  expectTypeOf<ReturnType<typeof createSiwx>>().toExtend<types.Siwx>()
})

type Options = Parameters<typeof createPostern>[0]
declare const postern: types.Postern

describe('`postern.eip155` fits', () => {
  test('viem', () => {
    expectTypeOf<types.Eip1193Provider>().toExtend<EIP1193Provider>()
    expectTypeOf(createWalletClient<ReturnType<typeof custom>>).toBeFunction()
    expectTypeOf(custom<types.Eip1193Provider>)
      .parameter(0)
      .toEqualTypeOf<types.Eip1193Provider>()
  })

  test('the targets of wagmi', () => {
    type Target = Extract<NonNullable<Parameters<typeof injected>[0]>['target'], (...args: never[]) => unknown>
    expectTypeOf(() => ({ id: 'postern', name: 'Postern', provider: postern.eip155 })).toExtend<Target>()
  })

  test('ethers', () => {
    expectTypeOf<types.Eip1193Provider>().toExtend<ConstructorParameters<typeof BrowserProvider>[0]>()
  })
})

describe('`request`', () => {
  test('knows the results of common methods', () => {
    const accounts = () => postern.eip155.request({ method: 'eth_requestAccounts' })
    expectTypeOf(accounts).returns.resolves.toEqualTypeOf<types.Hex[]>()
    const signature = () => postern.eip155.request({ method: 'personal_sign', params: ['0x00', '0x00'] })
    expectTypeOf(signature).returns.resolves.toEqualTypeOf<types.Hex>()
    const permissions = () => postern.eip155.request({ method: 'wallet_getPermissions' })
    expectTypeOf(permissions).returns.resolves.toEqualTypeOf<types.WalletPermission[]>()
  })

  test('takes every other method, whose result is unknown or what the caller says', () => {
    const unknown = () => postern.eip155.request({ method: 'debug_traceCall', params: [] })
    expectTypeOf(unknown).returns.resolves.toBeUnknown()
    const known = () => postern.eip155.request<number>({ method: 'dev_height' })
    expectTypeOf(known).returns.resolves.toBeNumber()
  })
})

describe('networks', () => {
  test('take aliases, CAIP-2 ids, chains of viem and definitions', () => {
    const mine = defineChain({
      id: 31337,
      name: 'Mine',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
    })
    expectTypeOf<readonly ['base', 'eip155:10', typeof mainnet, typeof base]>().toExtend<Options['networks']>()
    expectTypeOf<readonly [typeof sepolia, typeof mine]>().toExtend<Options['networks']>()
    expectTypeOf<readonly string[]>().toExtend<Options['networks']>()
    expectTypeOf<readonly number[]>().not.toExtend<Options['networks']>()
  })

  test('the aliases complete', () => {
    expectTypeOf<'ethereum' | 'solana' | 'bitcoin'>().toExtend<types.NetworkAlias>()
    expectTypeOf<'etherium'>().not.toExtend<types.NetworkAlias>()
  })
})

test('an EVM address is 0x…', () => {
  const evm = () => postern.connect({ namespace: 'eip155' })
  type Connected = Extract<Awaited<ReturnType<typeof evm>>, { status: 'connected' }>
  expectTypeOf<Connected['accounts'][number]['address']>().toEqualTypeOf<types.Hex>()
  type Stored = Extract<NonNullable<types.Snapshot['connections']['eip155']>, { status: 'connected' }>
  expectTypeOf<Stored['accounts'][number]['address']>().toEqualTypeOf<types.Hex>()
  type Solana = Extract<NonNullable<types.Snapshot['connections']['solana']>, { status: 'connected' }>
  expectTypeOf<Solana['accounts'][number]['address']>().toEqualTypeOf<string>()
})

test('the page knows `window.Postern` and the elements', () => {
  expectTypeOf<Window['Postern']>().toEqualTypeOf<types.PosternGlobal | undefined>()
  expectTypeOf<WindowEventMap['postern:ready']['detail']>().toEqualTypeOf<types.PosternGlobal>()
  expectTypeOf<HTMLElementTagNameMap['postern-button']['label']>().toEqualTypeOf<string | null>()
})
