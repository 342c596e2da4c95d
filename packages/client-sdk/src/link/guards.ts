/** Hand-written guards; see `../state/guards.ts`. */
import type { Envelope, HostResult, LinkError, PageParams, Refusal, Welcome } from '@postern/protocol'
import { isWalletRequestMethod } from '@postern/protocol/methods'
import {
  anything,
  type Check,
  id,
  integer,
  isRecord,
  list,
  networkId,
  object,
  oneOf,
  optional,
  text,
} from '../state/guards'

export const isLinkError = object<LinkError>({
  code: id,
  message: text(),
  rpc: optional(integer()),
  data: anything,
  fix: optional(text(512)),
})

export const isWelcome = object<Welcome>({ kind: oneOf('welcome'), v: integer(1), host: text() })

export const isRefusal = object<Refusal>({ kind: oneOf('refused'), error: isLinkError, origin: text() })

const head = { v: oneOf(1), id, kind: anything }
const envelopes: Readonly<Record<string, Check>> = {
  request: object({ ...head, method: text(64), params: anything }),
  result: object({ ...head, result: anything }),
  error: object({ ...head, error: isLinkError }),
  cancel: object(head),
  event: object({ ...head, event: text(64), data: anything }),
}

export function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value.kind !== 'string') return false
  return Object.hasOwn(envelopes, value.kind) && envelopes[value.kind]?.(value) === true
}

export const isWalletRequest = object<PageParams<'walletRequest'>>({
  wallet: id,
  method: (value) => typeof value === 'string' && isWalletRequestMethod(value),
  params: optional(list(anything)),
})

export const isStore = object<PageParams<'store'>>({
  key: text(128, 1),
  value: (value) => value === null || text(1_048_576)(value),
})

export const isOpenLink = object<PageParams<'openLink'>>({ url: text(8192, 1), target: oneOf('app', 'tab') })

const wallets = list(
  object({
    id: text(256, 1),
    name: text(256, 1),
    icon: optional(text(65_536)),
    installed: oneOf(true, false),
  }),
  0,
  256,
)
export const isProfile = object<HostResult<'getProfile'>>({
  name: optional(text(64, 1)),
  avatar: optional((value) => text(262_144)(value) && /^data:image\//.test(String(value))),
})

export const isWallets = (value: unknown): value is HostResult<'getWallets'> => wallets(value)

export const isReceipt = object<HostResult<'pay'>>({ networkId, hash: text(128, 1), from: text(128, 1) })
