import type * as protocol from '@postern/protocol'
import type { createSiwx } from '@postern/siwx'
import { expectTypeOf, test } from 'vitest'
import type * as types from './types'

test('the public types equal the page link’s', () => {
  expectTypeOf<types.Namespace>().toEqualTypeOf<protocol.Namespace>()
  expectTypeOf<types.CaipNetworkId>().toEqualTypeOf<protocol.CaipNetworkId>()
  expectTypeOf<types.Account>().toEqualTypeOf<protocol.Account>()
  expectTypeOf<types.NativeCurrency>().toEqualTypeOf<protocol.NativeCurrency>()
  expectTypeOf<types.NetworkDefinition>().toEqualTypeOf<protocol.NetworkDefinition>()
  expectTypeOf<types.Network>().toEqualTypeOf<protocol.Network>()
  expectTypeOf<types.ConnectorSummary>().toEqualTypeOf<protocol.ConnectorSummary>()
  expectTypeOf<types.Connection>().toEqualTypeOf<protocol.Connection>()
  expectTypeOf<types.Connections>().toEqualTypeOf<protocol.HostState['connections']>()
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
