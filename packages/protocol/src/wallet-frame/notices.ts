import * as z from 'zod/mini'
import { ApprovalRequest } from '../approval'
import { framePrefix } from './fields'

export const FrameExit = z.enum(['escape', 'forwards', 'backwards'])
export type FrameExit = z.infer<typeof FrameExit>

export type WalletFrameNotice =
  | { readonly name: 'READY'; readonly version?: string | undefined }
  | { readonly name: 'SESSION_UPDATE'; readonly token: string }
  /** SHOW_APPROVAL draws it. */
  | { readonly name: 'APPROVAL_REQUEST'; readonly request: ApprovalRequest }
  /** The user pressed Approve; RPC_REQUEST then settles. */
  | { readonly name: 'APPROVED'; readonly id: string }
  /** CSS px. */
  | { readonly name: 'SCREEN_HEIGHT'; readonly id: string; readonly height: number }
  /** Keyboard focus left: Escape, or Tab past an end. */
  | { readonly name: 'FRAME_LEFT'; readonly by: FrameExit }
  /** Cancelled or expired. */
  | { readonly name: 'APPROVAL_CLOSED'; readonly id: string }
  /** Revoked, expired, or deleted elsewhere. */
  | { readonly name: 'SESSION_ENDED' }
  /** The sign-in page shows six digits for SOCIAL_CODE. */
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
const Approved = z.object({ type: z.literal(`${framePrefix}APPROVED`), payload: z.object({ id: z.string() }) })
const ScreenHeight = z.object({
  type: z.literal(`${framePrefix}SCREEN_HEIGHT`),
  payload: z.object({ id: z.string(), height: z.number().check(z.gte(0), z.lte(1_000_000)) }),
})
const FrameLeft = z.object({ type: z.literal(`${framePrefix}FRAME_LEFT`), payload: z.object({ by: FrameExit }) })
const SessionEnded = z.object({ type: z.literal(`${framePrefix}SESSION_ENDED`) })
const SocialCodeWanted = z.object({ type: z.literal(`${framePrefix}SOCIAL_CODE_WANTED`) })
const Notice = z.discriminatedUnion('type', [
  Ready,
  SessionUpdate,
  ApprovalNotice,
  ApprovalClosed,
  Approved,
  ScreenHeight,
  FrameLeft,
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
    case 'APPROVED':
      return { type: `${framePrefix}APPROVED`, payload: { id: notice.id } }
    case 'SCREEN_HEIGHT':
      return { type: `${framePrefix}SCREEN_HEIGHT`, payload: { id: notice.id, height: notice.height } }
    case 'FRAME_LEFT':
      return { type: `${framePrefix}FRAME_LEFT`, payload: { by: notice.by } }
    case 'SESSION_ENDED':
      return { type: `${framePrefix}SESSION_ENDED` }
    case 'SOCIAL_CODE_WANTED':
      return { type: `${framePrefix}SOCIAL_CODE_WANTED` }
  }
}

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
    case `${framePrefix}APPROVED`:
      return { name: 'APPROVED', id: notice.payload.id }
    case `${framePrefix}SCREEN_HEIGHT`:
      return { name: 'SCREEN_HEIGHT', ...notice.payload }
    case `${framePrefix}FRAME_LEFT`:
      return { name: 'FRAME_LEFT', by: notice.payload.by }
    case `${framePrefix}SESSION_ENDED`:
      return { name: 'SESSION_ENDED' }
    case `${framePrefix}SOCIAL_CODE_WANTED`:
      return { name: 'SOCIAL_CODE_WANTED' }
  }
}
