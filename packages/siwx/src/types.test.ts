import type * as caip from '@postern/protocol/caip'
import type * as protocol from '@postern/protocol/sign-in'
import { expectTypeOf, it } from 'vitest'
import type { CaipNetworkId, SignInMessage, SignInSession } from './types'

it('means by a network, a message and a session what the protocol means', () => {
  expectTypeOf<CaipNetworkId>().toEqualTypeOf<caip.CaipNetworkId>()
  expectTypeOf<SignInMessage>().toEqualTypeOf<protocol.SignInMessage>()
  expectTypeOf<SignInSession>().toEqualTypeOf<protocol.SignInSession>()
})
