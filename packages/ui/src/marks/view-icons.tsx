/** Icons of the views behind Connect, drawn as in `icons.tsx`. */
import { drawn } from './icons'

export const ForwardIcon = drawn(<path d="M8 4.5 13.5 10 8 15.5" />, true)
export const CheckIcon = drawn(<path d="m4.5 10.5 3.6 3.6 7.4-8" />)
export const PlusIcon = drawn(<path d="M10 4.5v11M4.5 10h11" />)
export const SendIcon = drawn(<path d="M5.5 14.5 14.5 5.5M7.5 5.5h7v7" />, true)
export const ReceiveIcon = drawn(<path d="M14.5 5.5 5.5 14.5M12.5 14.5h-7v-7" />, true)
export const SwapIcon = drawn(<path d="M4.25 7.25h11.5l-2.75-3M15.75 12.75H4.25l2.75 3" />, true)
export const PictureIcon = drawn(
  <>
    <rect x="3.25" y="3.25" width="13.5" height="13.5" rx="3" />
    <circle cx="7.5" cy="7.75" r="1.25" />
    <path d="m4.25 14.5 3.6-3.4 2.4 2.2 2.9-3.1 3.4 3.6" />
  </>,
)
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
export const CoinIcon = drawn(
  <>
    <circle cx="10" cy="10" r="6.25" />
    <path d="M10 7.25 12.75 10 10 12.75 7.25 10Z" />
  </>,
)
export const CoinsIcon = drawn(
  <>
    <circle cx="8" cy="8" r="4.25" />
    <path d="M13.2 7.9a4.25 4.25 0 1 1-5.3 5.3" />
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
export const MailIcon = drawn(
  <>
    <rect x="2.75" y="4.25" width="14.5" height="11.5" rx="3" />
    <path d="m3.5 6.75 5.2 4a2.15 2.15 0 0 0 2.6 0l5.2-4" />
  </>,
)
export const DeviceIcon = drawn(
  <>
    <rect x="3.25" y="4" width="13.5" height="9" rx="2" />
    <path d="M2 16h16" />
  </>,
)
export const LockIcon = drawn(
  <>
    <rect x="4.25" y="8.75" width="11.5" height="8" rx="2.5" />
    <path d="M6.75 8.75V6.5a3.25 3.25 0 0 1 6.5 0v2.25M10 12v1.5" />
  </>,
)
export const ExportIcon = drawn(
  <path d="M10 12.25v-8.5M6.75 6.5 10 3.25l3.25 3.25M3.75 12.5v1.75a2 2 0 0 0 2 2h8.5a2 2 0 0 0 2-2V12.5" />,
)
export const TrashIcon = drawn(
  <path d="M3.75 5.75h12.5M7.75 5.5V4.25a1 1 0 0 1 1-1h2.5a1 1 0 0 1 1 1V5.5M5.5 5.75l.6 9a1.75 1.75 0 0 0 1.75 1.6h4.3a1.75 1.75 0 0 0 1.75-1.6l.6-9" />,
)
export const InfoIcon = drawn(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 9.25v4M10 6.5v.01" />
  </>,
)
export const StopIcon = drawn(
  <>
    <path d="M7 2.75h6L17.25 7v6L13 17.25H7L2.75 13V7Z" />
    <path d="M10 6.75v3.75M10 13.35v.01" />
  </>,
)
export const LayersIcon = drawn(
  <>
    <path d="m10 3 7 3.75-7 3.75-7-3.75Z" />
    <path d="m3.75 10.75 6.25 3.4 6.25-3.4M3.75 14l6.25 3.4L16.25 14" />
  </>,
)
export const ScanIcon = drawn(
  <path d="M3.5 7V5.5a2 2 0 0 1 2-2H7M13 3.5h1.5a2 2 0 0 1 2 2V7M16.5 13v1.5a2 2 0 0 1-2 2H13M7 16.5H5.5a2 2 0 0 1-2-2V13M3.75 10h12.5" />,
)
export const ShareIcon = drawn(
  <>
    <circle cx="5.25" cy="10" r="2" />
    <circle cx="14.25" cy="5.25" r="2" />
    <circle cx="14.25" cy="14.75" r="2" />
    <path d="m7.05 9.05 5.4-2.85M7.05 10.95l5.4 2.85" />
  </>,
)
export const WordsIcon = drawn(<path d="M4 5.5h12M4 10h7.5M4 14.5h10" />)
