/** Without an id: `{type: '@w3m-frame/X', payload?}`. */
import * as z from 'zod/mini'
import { ApprovalRequest } from '../approval'
import { framePrefix } from './fields'

export type WalletFrameNotice =
  | { readonly name: 'READY'; readonly version?: string | undefined }
  | { readonly name: 'SESSION_UPDATE'; readonly token: string }
  /** Waits for APPROVE or REJECT under its id. */
  | { readonly name: 'APPROVAL_REQUEST'; readonly request: ApprovalRequest }
  /** Cancelled or expired. */
  | { readonly name: 'APPROVAL_CLOSED'; readonly id: string }
  /** Remotely: revoked, expired or deleted. */
  | { readonly name: 'SESSION_ENDED' }
  /** The social sign-in page shows six digits: CONNECT_SOCIAL waits for SOCIAL_CODE. */
  | { readonly name: 'SOCIAL_CODE_WANTED' }

const Ready = z.object({
  type: z.literal(`${framePrefix}READY`),
  payload: z.nullish(z.object({ version: z.optional(z.string()) })),
})
const SessionUpdate = z.object({
  type: z.literal(`${framePrefix}SESSION_UPDATE`),
  payload: z.object({ token: z.string() }),
})
const ApprovalNotice = z.object({
  type: z.literal(`${framePrefix}APPROVAL_REQUEST`),
  payload: ApprovalRequest,
})
const ApprovalClosed = z.object({
  type: z.literal(`${framePrefix}APPROVAL_CLOSED`),
  payload: z.object({ id: z.string() }),
})
const SessionEnded = z.object({ type: z.literal(`${framePrefix}SESSION_ENDED`) })
const SocialCodeWanted = z.object({ type: z.literal(`${framePrefix}SOCIAL_CODE_WANTED`) })
const Notice = z.discriminatedUnion('type', [
  Ready,
  SessionUpdate,
  ApprovalNotice,
  ApprovalClosed,
  SessionEnded,
  SocialCodeWanted,
])
export type WalletFrameNoticeMessage = z.infer<typeof Notice>

export function walletFrameNotice(notice: WalletFrameNotice): WalletFrameNoticeMessage {
  switch (notice.name) {
    case 'READY':
      return { type: `${framePrefix}READY`, payload: { version: notice.version } }
    case 'SESSION_UPDATE':
      return { type: `${framePrefix}SESSION_UPDATE`, payload: { token: notice.token } }
    case 'APPROVAL_REQUEST':
      return { type: `${framePrefix}APPROVAL_REQUEST`, payload: notice.request }
    case 'APPROVAL_CLOSED':
      return { type: `${framePrefix}APPROVAL_CLOSED`, payload: { id: notice.id } }
    case 'SESSION_ENDED':
      return { type: `${framePrefix}SESSION_ENDED` }
    case 'SOCIAL_CODE_WANTED':
      return { type: `${framePrefix}SOCIAL_CODE_WANTED` }
  }
}

/** Null if not a notice. */
export function parseWalletFrameNotice(value: unknown): WalletFrameNotice | null {
  const parsed = Notice.safeParse(value)
  if (!parsed.success) return null
  const notice = parsed.data
  switch (notice.type) {
    case `${framePrefix}READY`:
      return { name: 'READY', version: notice.payload?.version }
    case `${framePrefix}SESSION_UPDATE`:
      return { name: 'SESSION_UPDATE', token: notice.payload.token }
    case `${framePrefix}APPROVAL_REQUEST`:
      return { name: 'APPROVAL_REQUEST', request: notice.payload }
    case `${framePrefix}APPROVAL_CLOSED`:
      return { name: 'APPROVAL_CLOSED', id: notice.payload.id }
    case `${framePrefix}SESSION_ENDED`:
      return { name: 'SESSION_ENDED' }
    case `${framePrefix}SOCIAL_CODE_WANTED`:
      return { name: 'SOCIAL_CODE_WANTED' }
  }
}
