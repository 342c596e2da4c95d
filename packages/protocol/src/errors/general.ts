/** Errors without a more specific cause. */
import type { ErrorTexts } from './entry'

export const generalErrors = {
  ERROR_OCCURRED: {
    message: 'An error occurred',
    fix: 'Reserved for compatibility: Postern does not raise it.',
  },
  SOMETHING_WENT_WRONG: { message: 'Something went wrong', fix: 'Try again.' },
  UNKNOWN: { message: 'Unknown error', fix: 'Try again. The wallet gave no reason.' },
} as const satisfies ErrorTexts
