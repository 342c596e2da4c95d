import type { ErrorTexts } from './entry'

export const generalErrors = {
  ERROR_OCCURRED: { message: 'An error occurred' },
  SOMETHING_WENT_WRONG: { message: 'Something went wrong' },
  UNKNOWN: { message: 'Unknown error' },
} as const satisfies ErrorTexts
