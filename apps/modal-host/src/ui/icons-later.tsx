/** The icons of the one set that only views use which are fetched later. */
import { drawn } from './icons'

export const ForwardIcon = drawn(<path d="M8 4.5 13.5 10 8 15.5" />, true)
export const CheckIcon = drawn(<path d="m4.5 10.5 3.6 3.6 7.4-8" />)
export const PlusIcon = drawn(<path d="M10 4.5v11M4.5 10h11" />)
export const CopyIcon = drawn(
  <>
    <rect x="7.25" y="7.25" width="9" height="9" rx="2.5" />
    <path d="M4.4 12.4a1.9 1.9 0 0 1-.65-1.45v-5.2a2 2 0 0 1 2-2h5.2c.57 0 1.08.24 1.44.62" />
  </>,
)
export const ReceiptIcon = drawn(
  <>
    <path d="M5 3.75h10v12.5l-2.5-1.5-2.5 1.5-2.5-1.5-2.5 1.5Z" />
    <path d="M8 7.5h4M8 10.5h4" />
  </>,
)
export const SearchIcon = drawn(
  <>
    <circle cx="9" cy="9" r="5.25" />
    <path d="m13 13 3.5 3.5" />
  </>,
)
export const ClearIcon = drawn(<path d="m6.5 6.5 7 7M13.5 6.5l-7 7" />)
export const KeyIcon = drawn(
  <>
    <circle cx="7" cy="13" r="3.25" />
    <path d="m9.4 10.6 6.1-6.1M13 7l2.2 2.2" />
  </>,
)
export const DoorIcon = drawn(
  <>
    <path d="M5.75 16.25v-11a1.5 1.5 0 0 1 1.5-1.5h5.5a1.5 1.5 0 0 1 1.5 1.5v11M3.25 16.25h13.5" />
    <path d="M11.5 10.25v.01" />
  </>,
)
export const ShieldIcon = drawn(
  <>
    <path d="M10 2.9 4.25 5v4.6c0 3.4 2.3 6.2 5.75 7.5 3.45-1.3 5.75-4.1 5.75-7.5V5Z" />
    <path d="m7.6 9.9 1.7 1.7 3.1-3.3" />
  </>,
)
export const RetryIcon = drawn(<path d="M15.9 8.3A6.25 6.25 0 1 0 16.25 10M16.25 4.5v3.9h-3.9" />)
