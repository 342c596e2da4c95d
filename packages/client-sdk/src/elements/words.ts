import type { Words } from './contract'
import { inLanguage } from './language'

/** In the order of {@link Words}. A test requires the modal's languages. */
export const translations: Readonly<Record<string, readonly [string, string, string, string, string, string]>> = {
  ar: ['ربط المحفظة', 'جارٍ الاتصال…', 'الحساب', 'الشبكة', 'اختر شبكة', 'شبكة غير مدعومة'],
  bn: ['ওয়ালেট কানেক্ট করুন', 'কানেক্ট হচ্ছে…', 'অ্যাকাউন্ট', 'নেটওয়ার্ক', 'নেটওয়ার্ক বেছে নিন', 'নেটওয়ার্কটি সমর্থিত নয়'],
  de: ['Wallet verbinden', 'Verbinden…', 'Konto', 'Netzwerk', 'Netzwerk wählen', 'Netzwerk nicht unterstützt'],
  es: ['Conectar billetera', 'Conectando…', 'Cuenta', 'Red', 'Elige una red', 'Red no compatible'],
  fr: [
    'Connecter un portefeuille',
    'Connexion…',
    'Compte',
    'Réseau',
    'Choisissez un réseau',
    'Réseau non pris en charge',
  ],
  hi: ['वॉलेट कनेक्ट करें', 'कनेक्ट हो रहा है…', 'अकाउंट', 'नेटवर्क', 'नेटवर्क चुनें', 'असमर्थित नेटवर्क'],
  id: ['Hubungkan dompet', 'Menghubungkan…', 'Akun', 'Jaringan', 'Pilih jaringan', 'Jaringan tidak didukung'],
  it: ['Connetti il wallet', 'Connessione…', 'Account', 'Rete', 'Scegli una rete', 'Rete non supportata'],
  ja: ['ウォレットを接続', '接続中…', 'アカウント', 'ネットワーク', 'ネットワークを選択', '未対応のネットワーク'],
  ko: ['지갑 연결', '연결 중…', '계정', '네트워크', '네트워크 선택', '지원하지 않는 네트워크'],
  nl: ['Wallet verbinden', 'Verbinden…', 'Account', 'Netwerk', 'Kies een netwerk', 'Netwerk niet ondersteund'],
  pl: ['Połącz portfel', 'Łączenie…', 'Konto', 'Sieć', 'Wybierz sieć', 'Nieobsługiwana sieć'],
  pt: ['Conectar carteira', 'Conectando…', 'Conta', 'Rede', 'Escolha uma rede', 'Rede não suportada'],
  ru: ['Подключить кошелёк', 'Подключение…', 'Аккаунт', 'Сеть', 'Выберите сеть', 'Сеть не поддерживается'],
  th: ['เชื่อมต่อวอลเล็ต', 'กำลังเชื่อมต่อ…', 'บัญชี', 'เครือข่าย', 'เลือกเครือข่าย', 'ไม่รองรับเครือข่าย'],
  tr: ['Cüzdanı bağla', 'Bağlanıyor…', 'Hesap', 'Ağ', 'Ağ seçin', 'Desteklenmeyen ağ'],
  uk: ['Підключити гаманець', 'Підключення…', 'Акаунт', 'Мережа', 'Виберіть мережу', 'Мережа не підтримується'],
  vi: ['Kết nối ví', 'Đang kết nối…', 'Tài khoản', 'Mạng', 'Chọn mạng', 'Mạng không được hỗ trợ'],
  'zh-Hans': ['连接钱包', '正在连接…', '账户', '网络', '选择网络', '不支持的网络'],
  'zh-Hant': ['連接錢包', '正在連接…', '帳戶', '網路', '選擇網路', '不支援的網路'],
}

export function wordsOf(locale: string): Words | undefined {
  const found = inLanguage(translations, locale)
  if (found === undefined) return undefined
  const [connect, connecting, account, network, selectNetwork, unsupportedNetwork] = found
  return { connect, connecting, account, network, selectNetwork, unsupportedNetwork }
}
