/** Without a more specific cause. */
import type { ErrorTexts } from './entry'

export const generalErrors = {
  ERROR_OCCURRED: {
    message: 'An error occurred',
    wayOut: 'Kept for compatibility: every failure here has a message of its own.',
  },
  SOMETHING_WENT_WRONG: { message: 'Something went wrong', wayOut: 'Try again.' },
  UNKNOWN: { message: 'Unknown error', wayOut: 'Try again. The wallet gave no reason.' },
} as const satisfies ErrorTexts
