/** The fake gateway's users and sessions, and the calls that sign a user in. */
import type {
  AddressProof,
  Recovery,
  RecoveryProof,
  WalletAddresses,
  WalletApiBody,
  WalletApiCall,
  WalletApiFailure,
  WalletApiUser,
  WalletEnd,
  WalletReplacement,
} from '@postern/protocol'
import { randomSecret } from '../random'

export type Row = { id: string; name: string; authShare: string; recoveryShare: string | null }
export type Wallet = {
  addresses: WalletAddresses
  recovery: Recovery
  recoveryProof: RecoveryProof | null
  addressProof: AddressProof | null
  replaces?: WalletReplacement | null
  isExposed?: boolean
  rows: Map<string, Row>
}
export type User = WalletApiUser & { wallet: Wallet | null; previous: Wallet | null }
/** Its number is 123. */
const fakeChallenge = {
  salt: 'AAAAAAAAAAAAAAAAAAAAAA',
  target: '7a2e581a13002e4bdc3f0a980508d072360b5b0768085fd1b67e5eb711cf32ec',
  max: 200,
  expiresAt: 9e12,
  signature: 'signed',
}

export type EmailFlow = { email: string; deviceToken: string; code: string; isApproved: boolean }
export type SocialFlow = {
  claim: string
  ticket: string
  code: string
  deviceToken: string
  shown: 'nothing' | 'ticket' | 'code'
}
export type Caller = { user: User; deviceToken: string; token: string }

export class Refused extends Error {
  readonly failure: WalletApiFailure
  constructor(failure: WalletApiFailure) {
    super(failure)
    this.failure = failure
  }
}

/** `waitForChange` resolves at the next `wake`. */
export function fakeSignIn() {
  const users = new Map<string, User>()
  const sessions = new Map<string, { userId: string; deviceToken: string; keyId: string }>()
  const known = new Set<string>()
  /** Deleted accounts by identity. */
  const deleted = new Map<string, number>()
  /** By identity, newest first. Of the real gateway each device gets its own. */
  const ends = new Map<string, readonly WalletEnd[]>()
  const mails = new Map<string, EmailFlow>()
  const flows = new Map<string, EmailFlow>()
  const socials = new Map<string, SocialFlow>()
  let wake = () => {}
  const waitForChange = () =>
    new Promise<void>((resolve) => {
      const before = wake
      wake = () => {
        before()
        resolve()
      }
    })

  function find(email: string, provider: WalletApiUser['provider']): User {
    const identity = `${provider}-${email}`
    const count = deleted.get(identity) ?? 0
    const id = count === 0 ? identity : `${identity}-${count}`
    const user = users.get(id) ?? { id, email, userName: null, provider, wallet: null, previous: null }
    users.set(id, user)
    return user
  }

  function remove({ id, provider, email }: User): void {
    const identity = `${provider}-${email}`
    users.delete(id)
    deleted.set(identity, (deleted.get(identity) ?? 0) + 1)
    for (const device of [...known]) if (device.startsWith(`${email}/`)) known.delete(device)
  }

  const endsOf = ({ provider, email }: User) => ends.get(`${provider}-${email}`) ?? []

  function keepEnd(user: User, end: WalletEnd): void {
    ends.set(`${user.provider}-${user.email}`, [end, ...endsOf(user)])
  }

  function signIn(user: User, deviceToken: string, keyId: string) {
    const token = randomSecret()
    sessions.set(token, { userId: user.id, deviceToken, keyId })
    known.add(`${user.email}/${deviceToken}`)
    return signedIn({ user, deviceToken, token })
  }

  function signedIn({ user, token }: Caller) {
    const { wallet: _, previous: __, ...who } = user
    const claims = btoa(JSON.stringify({ sub: user.id, iat: 1_000 }))
    return { status: 'signedIn', sessionToken: token, expiresAt: 9e12, identityToken: `e30.${claims}.s`, user: who }
  }

  const calls: { [C in WalletApiCall]?: (body: WalletApiBody<C>, keyId: string) => unknown } = {
    email({ email, deviceToken }) {
      const isKnown = known.has(`${email}/${deviceToken}`)
      const flow = { email, deviceToken, code: String(100_000 + mails.size), isApproved: isKnown }
      const id = randomSecret()
      flows.set(id, flow)
      mails.set(email, flow)
      return { flow: id, action: isKnown ? 'VERIFY_OTP' : 'VERIFY_DEVICE' }
    },
    emailChallenge: () => fakeChallenge,
    providerChallenge: () => fakeChallenge,
    async emailDevice({ flow }) {
      const found = flows.get(flow)
      if (found === undefined) throw new Refused('CODE_EXPIRED')
      if (!found.isApproved) await waitForChange()
      return { status: found.isApproved ? 'approved' : 'pending' }
    },
    emailVerify({ flow, otp, deviceToken }, keyId) {
      const found = flows.get(flow)
      if (found === undefined) throw new Refused('CODE_EXPIRED')
      if (!found.isApproved || found.code !== otp || found.deviceToken !== deviceToken) throw new Refused('WRONG_CODE')
      flows.delete(flow)
      return signIn(find(found.email, 'email'), deviceToken, keyId)
    },
    social({ claim, deviceToken }) {
      const flow = randomSecret()
      socials.set(flow, { claim, deviceToken, ticket: randomSecret(), code: '424242', shown: 'nothing' })
      return { flow, uri: `https://wallet.test/auth/social/start?flow=${flow}` }
    },
    async socialClaim({ flow, claim, ticket, code }, keyId) {
      const found = socials.get(flow)
      if (found === undefined || found.claim !== claim) throw new Refused('STATE_MISMATCH')
      if (ticket === undefined && code === undefined) {
        if (found.shown !== 'code') await waitForChange()
        return { status: found.shown === 'code' ? 'code' : 'pending' }
      }
      if (ticket !== undefined && ticket !== found.ticket) throw new Refused('STATE_MISMATCH')
      if (code !== undefined && code !== found.code) throw new Refused('WRONG_CODE')
      socials.delete(flow)
      return signIn(find('social@example.com', 'google'), found.deviceToken, keyId)
    },
  }

  return {
    calls,
    users,
    sessions,
    find,
    remove,
    endsOf,
    keepEnd,
    signedIn,
    codeFor: (email: string) => mails.get(email)?.code ?? '',
    approve(email: string) {
      const flow = mails.get(email)
      if (flow !== undefined) flow.isApproved = true
      wake()
    },
    returnFromProvider(id: string, how: 'ticket' | 'code') {
      const flow = socials.get(id)
      if (flow === undefined) throw new Error('no such flow')
      flow.shown = how
      wake()
      return flow
    },
  }
}
