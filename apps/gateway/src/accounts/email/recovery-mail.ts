import { type Requester, recoveryMail } from '../mail/messages'
import type { Session } from '../sessions/sessions'
import type { Mailing } from './mailing'
import type { NotMe } from './not-me'

/**
 * Tells the owner that a device can open the wallet from `opensAt` (epoch ms; null: now). Takes from no rate: a thief
 * could use it up.
 * @throws {Problem} MAIL_FAILED
 */
export type RecoveryMail = (session: Session, requester: Requester, opensAt: number | null) => Promise<void>

export function createRecoveryMail(options: {
  readonly mailing: Pick<Mailing, 'send'>
  readonly notMe: Pick<NotMe, 'linkTo'>
}): RecoveryMail {
  return async ({ userId, deviceId, user }, requester, opensAt) => {
    if (user.email === null) return
    const notMe = options.notMe.linkTo({ kind: 'device', userId, deviceId, email: user.email })
    await options.mailing.send(recoveryMail({ to: user.email, requester, opensAt, notMe }))
  }
}
