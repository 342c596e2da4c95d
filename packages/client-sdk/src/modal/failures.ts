import { failureOf, type PosternError, type Text } from '../errors'

export const modalTexts = {
  POPUP_BLOCKED: ['The browser blocked the new tab'],
  ORIGIN_NOT_ALLOWED: ['Unauthorized: origin not allowed'],
  INVALID_PROJECT_ID: ['Unauthorized: invalid key'],
  PROJECT_ID_NOT_CONFIGURED: ['No project id is configured'],
  SIWX_CONFLICT: ['Both siweConfig and siwx are set'],
  SIWX_NOT_ENABLED: ['SIWX is not enabled'],
} as const satisfies Record<string, Text>

/** `data` of IFRAME_LOAD_FAILED when the page's Content-Security-Policy refused the frame. */
export const blockedByPolicy = 'content-security-policy'

export function modalFailure(code: keyof typeof modalTexts, cause?: unknown): PosternError {
  return failureOf(code, modalTexts[code], cause)
}
