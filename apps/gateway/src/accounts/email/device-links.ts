/** The emailed link that approves a new device: 1 to 4 of `email.ts`. */
import type { Secrets } from '../../platform/secrets/secrets'
import type { Language } from '../../projects/mail/text'
import type { ProjectMail, RequestFacts } from '../mail/messages'
import { type EmailFlow, type EmailFlows, flowContext } from './email-flows'
import type { Mailing } from './mailing'
import { type NotMe, signInScope } from './not-me'

export type LinkState =
  | { readonly state: 'pending'; readonly requester: RequestFacts }
  | { readonly state: 'approved'; readonly requester: RequestFacts }
  | { readonly state: 'expired' | 'unknown' }

export type Approval = LinkState | { readonly state: 'mailFailed'; readonly requester: RequestFacts }

export type DeviceLinks = {
  look(token: string): Promise<LinkState>
  /** @param language of the approving browser, which is the owner's. */
  approve(token: string, language: Language): Promise<Approval>
}

export function createDeviceLinks({
  flows,
  secrets,
  mailing,
  notMe,
  projectMailOf,
  now,
}: {
  readonly flows: Pick<EmailFlows, 'approve' | 'findByLink'>
  readonly secrets: Pick<Secrets, 'identities'>
  readonly mailing: Pick<Mailing, 'sendCode'>
  readonly notMe: Pick<NotMe, 'linkTo'>
  readonly projectMailOf: (projectId: string) => Promise<ProjectMail>
  /** Epoch milliseconds. */
  readonly now: () => number
}): DeviceLinks {
  const look = async (token: string) => stateOf(await flows.findByLink(token))

  return {
    look,

    async approve(token, language) {
      const row = await flows.approve(token)
      if (row === undefined) return look(token)
      const requester = factsOf(row)
      try {
        const to = secrets.identities.open(row.email, flowContext(row.id))
        await mailing.sendCode({
          to,
          scope: signInScope(row),
          purpose: 'sign-in',
          requester: { ...requester, language, ...(await projectMailOf(row.projectId)) },
          notMe: notMe.linkTo({ kind: 'signIn', email: to, deviceTokenHash: row.deviceTokenHash }),
        })
      } catch {
        // The approval stands: the device can request a code without a link.
        return { state: 'mailFailed', requester }
      }
      return { state: 'approved', requester }
    },
  }

  function stateOf(row: EmailFlow | undefined): LinkState {
    if (row === undefined) return { state: 'unknown' }
    const shown = { requester: factsOf(row) }
    if (row.approvedAt !== null || row.completedAt !== null) return { state: 'approved', ...shown }
    return row.expiresAt.getTime() <= now() ? { state: 'expired' } : { state: 'pending', ...shown }
  }
}

function factsOf({ site, region, createdAt }: EmailFlow): RequestFacts {
  return { site, region, at: createdAt.getTime() }
}
