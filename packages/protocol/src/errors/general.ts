/** Without a more specific cause. */
import type { ErrorTexts } from './entry'

export const generalErrors = {
  ERROR_OCCURRED: {
    message: 'An error occurred',
    wayOut: 'Kept for who knows it from elsewhere: nothing here says it, since whatever fails has words of its own.',
  },
  SOMETHING_WENT_WRONG: { message: 'Something went wrong', wayOut: 'Try again.' },
  UNKNOWN: { message: 'Unknown error', wayOut: 'Try again; the wallet gave no reason.' },
} as const satisfies ErrorTexts
