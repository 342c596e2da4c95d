import { failureOf, type PosternError, type Text } from '../shared/errors'

export const modalTexts = {
  POPUP_BLOCKED: ['The browser blocked the new tab', 'Click again: a new tab needs a recent click.'],
  ORIGIN_NOT_ALLOWED: ['Unauthorized: origin not allowed', 'Add the page’s origin to the project’s allowed origins.'],
  INVALID_PROJECT_ID: ['Unauthorized: invalid key', 'Check the project id with your gateway.'],
  PROJECT_ID_NOT_CONFIGURED: [
    'No project id is configured',
    'Set `projectId` (or `data-project-id`) to the id of your project.',
  ],
  SIWX_CONFLICT: ['Both siweConfig and siwx are set', 'Set only one: `siwx` replaces `siweConfig`.'],
  SIWX_NOT_ENABLED: ['SIWX is not enabled', 'Configure `siwx` before using it.'],
} as const satisfies Record<string, Text>

/** `data` of LOAD_FAILED. */
export const blockedByPolicy = 'content-security-policy'

export function modalFailure(code: keyof typeof modalTexts, cause?: unknown): PosternError {
  return failureOf(code, modalTexts[code], cause)
}
