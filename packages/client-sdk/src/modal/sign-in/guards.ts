import type { SignInParams } from '@postern/protocol'
import { anything, list, networkId, object, optional, text } from '../../state/guards'

const address = text(128, 1)
const field = text(2048, 1)
const time = optional(text(64))

const messageShape = {
  accountAddress: address,
  chainId: networkId,
  domain: field,
  uri: field,
  version: text(16),
  nonce: text(512, 1),
  statement: optional(text(4096)),
  issuedAt: time,
  expirationTime: time,
  notBefore: time,
  requestId: optional(text(512)),
  resources: optional(list(text(2048), 0, 128)),
}
export const messageFields = Object.keys(messageShape)

const session = object({
  data: object(messageShape),
  message: text(16_384, 1),
  signature: text(16_384, 1),
  cacao: anything,
})

export const isCreateMessage = object<SignInParams<'siwxCreateMessage'>>({
  chainId: networkId,
  accountAddress: address,
})
export const isAddSession = object<SignInParams<'siwxAddSession'>>({ session })
export const isSetSessions = object<SignInParams<'siwxSetSessions'>>({ sessions: list(session, 0, 64) })
export const isSignedInAs = object<SignInParams<'siwxGetState'>>({ chainId: networkId, address })
