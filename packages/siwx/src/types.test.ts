import type * as caip from '@postern/protocol/caip'
import type * as protocol from '@postern/protocol/sign-in'
import { expectTypeOf, it } from 'vitest'
import type { CaipNetworkId, SignInMessage, SignInSession } from './types'

it('network, message and session types match those of the protocol', () => {
  expectTypeOf<CaipNetworkId>().toEqualTypeOf<caip.CaipNetworkId>()
  expectTypeOf<SignInMessage>().toEqualTypeOf<protocol.SignInMessage>()
  expectTypeOf<SignInSession>().toEqualTypeOf<protocol.SignInSession>()
})
