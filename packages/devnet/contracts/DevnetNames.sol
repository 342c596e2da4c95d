// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The part of the ENS registry that reads and sets names (https://eips.ethereum.org/EIPS/eip-137).
contract DevnetEnsRegistry {
    struct Record { address owner; address resolver; uint64 ttl; }
    mapping(bytes32 node => Record) private records;

    event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner);
    event NewResolver(bytes32 indexed node, address resolver);

    error NotAllowed(bytes32 node, address caller);

    modifier onlyOwner(bytes32 node) {
        if (records[node].owner != msg.sender) revert NotAllowed(node, msg.sender);
        _;
    }

    constructor() { records[0].owner = msg.sender; }

    function setSubnodeRecord(bytes32 node, bytes32 label, address owner_, address resolver_, uint64 ttl_)
        external
        onlyOwner(node)
    {
        bytes32 subnode = keccak256(abi.encodePacked(node, label));
        records[subnode] = Record(owner_, resolver_, ttl_);
        emit NewOwner(node, label, owner_);
        emit NewResolver(subnode, resolver_);
    }

    function setResolver(bytes32 node, address resolver_) external onlyOwner(node) {
        records[node].resolver = resolver_;
        emit NewResolver(node, resolver_);
    }

    function owner(bytes32 node) external view returns (address) { return records[node].owner; }
    function resolver(bytes32 node) external view returns (address) { return records[node].resolver; }
    function ttl(bytes32 node) external view returns (uint64) { return records[node].ttl; }
    function recordExists(bytes32 node) external view returns (bool) { return records[node].owner != address(0); }
}

/// A public resolver: addresses (EIP-137, EIP-2304), names (EIP-181) and texts (EIP-634).
contract DevnetEnsResolver {
    DevnetEnsRegistry private immutable registry;
    address private immutable controller;
    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private addresses;
    mapping(bytes32 node => string) public name;
    mapping(bytes32 node => mapping(string key => string)) public text;

    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress);
    event NameChanged(bytes32 indexed node, string name);
    event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value);

    error NotAllowed(bytes32 node, address caller);

    modifier authorised(bytes32 node) {
        if (msg.sender != controller && registry.owner(node) != msg.sender) revert NotAllowed(node, msg.sender);
        _;
    }

    constructor(DevnetEnsRegistry registry_) {
        registry = registry_;
        controller = msg.sender;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06 || id == 0x691f3431 || id == 0x59d1d43c;
    }

    function addr(bytes32 node) external view returns (address payable) {
        return payable(address(bytes20(addresses[node][60])));
    }
    /// An EVM chain without an address of its own has that of all EVM chains (ENSIP-19).
    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory value) {
        value = addresses[node][coinType];
        if (value.length == 0 && DevnetReverse.isEvm(coinType)) value = addresses[node][DevnetReverse.anyEvm];
    }

    function setAddr(bytes32 node, uint256 coinType, bytes memory value) public authorised(node) {
        addresses[node][coinType] = value;
        emit AddressChanged(node, coinType, value);
    }
    function setAddr(bytes32 node, address value) external { setAddr(node, 60, abi.encodePacked(value)); }

    function setName(bytes32 node, string calldata value) external authorised(node) {
        name[node] = value;
        emit NameChanged(node, value);
    }

    function setText(bytes32 node, string calldata key, string calldata value) external authorised(node) {
        text[node][key] = value;
        emit TextChanged(node, key, key, value);
    }
}

/// A resolver for a name and all names below it (ENSIP-10). A server outside the chain signs the answers (EIP-3668).
contract DevnetOffchainResolver {
    string private url;
    address private immutable signer;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error SignatureExpired(uint64 expires);
    error SignatureInvalid();

    /// `url_` with `{sender}` and `{data}` in it.
    constructor(string memory url_, address signer_) {
        url = url_;
        signer = signer_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0x01ffc9a7 || id == 0x9061b923; }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        string[] memory urls = new string[](1);
        urls[0] = url;
        bytes memory question = abi.encodeCall(this.resolve, (name, data));
        revert OffchainLookup(address(this), urls, question, this.resolved.selector, question);
    }

    /// `response`: the answer, its expiry, and the server's signature of both and of the query.
    function resolved(bytes calldata response, bytes calldata question) external view returns (bytes memory answer) {
        uint64 expires;
        bytes memory signature;
        (answer, expires, signature) = abi.decode(response, (bytes, uint64, bytes));
        if (expires < block.timestamp) revert SignatureExpired(expires);
        bytes32 digest = keccak256(
            abi.encodePacked(hex"1900", address(this), expires, keccak256(question), keccak256(answer))
        );
        if (signature.length != 65) revert SignatureInvalid();
        bytes32 r;
        bytes32 s;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        address from = ecrecover(digest, uint8(signature[64]), r, s);
        if (from == address(0) || from != signer) revert SignatureInvalid();
    }
}

/// Several queries to servers in one batch (ENSIP-21).
interface BatchGateway {
    struct Query { address sender; string[] urls; bytes data; }
    function query(Query[] calldata queries) external view returns (bool[] memory failures, bytes[] memory responses);
}

/// The calls of ENS's universal resolver that clients use. Source: https://docs.ens.domains/resolvers/universal
contract DevnetUniversalResolver {
    DevnetEnsRegistry private immutable registry;

    /// How to use an answer from outside the chain. `owner`: the expected owner of the name; empty if no name was requested.
    struct Pending {
        address resolver;
        bytes4 callback;
        bytes extraData;
        string[] gateways;
        bytes owner;
        string primary;
        address reverseResolver;
        uint256 coinType;
    }

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error HttpError(uint16 status, string message);

    error DNSDecodingFailed(bytes dns);
    error EmptyAddress();
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);

    constructor(DevnetEnsRegistry registry_) { registry = registry_; }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        return this.resolveWithGateways(name, data, here());
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        Pending memory pending;
        pending.gateways = gateways;
        return ask(name, data, pending, this.resolved.selector);
    }

    function resolved(bytes calldata response, bytes calldata extraData) external view returns (bytes memory, address) {
        Pending memory pending = abi.decode(extraData, (Pending));
        return read(goOn(response, pending, this.resolved.selector), pending.resolver);
    }

    function reverse(bytes calldata owner, uint256 coinType) external view returns (string memory, address, address) {
        return this.reverseWithGateways(owner, coinType, here());
    }

    function reverseWithGateways(bytes calldata owner, uint256 coinType, string[] calldata gateways)
        external
        view
        returns (string memory primary, address resolver, address reverseResolver)
    {
        if (owner.length == 0) revert EmptyAddress();
        if (!DevnetReverse.isEvm(coinType) || owner.length != 20) return ("", address(0), address(0));
        (primary, reverseResolver) = primaryOf(address(bytes20(owner)), coinType);
        if (bytes(primary).length == 0) return ("", address(0), reverseResolver);
        Pending memory pending = Pending(address(0), 0, "", gateways, owner, primary, reverseResolver, coinType);
        bytes memory name = DevnetReverse.encode(bytes(primary));
        bytes32 node = DevnetReverse.namehash(bytes(primary));
        bytes memory question = coinType == 60
            ? abi.encodeWithSignature("addr(bytes32)", node)
            : abi.encodeWithSignature("addr(bytes32,uint256)", node, coinType);
        bytes memory forward;
        (forward, resolver) = ask(name, question, pending, this.reversed.selector);
        check(forward, pending);
    }

    /// Of the chain, or else of all EVM chains (ENSIP-19).
    function primaryOf(address owner, uint256 coinType) private view returns (string memory name, address resolver) {
        bytes32 node = DevnetReverse.nodeOf(owner, coinType);
        resolver = registry.resolver(node);
        if (resolver != address(0)) name = DevnetEnsResolver(resolver).name(node);
        if (bytes(name).length == 0 && coinType != DevnetReverse.anyEvm) return primaryOf(owner, DevnetReverse.anyEvm);
    }

    function reversed(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (string memory, address, address)
    {
        Pending memory pending = abi.decode(extraData, (Pending));
        (bytes memory forward, address resolver) = read(goOn(response, pending, this.reversed.selector), pending.resolver);
        check(forward, pending);
        return (pending.primary, resolver, pending.reverseResolver);
    }

    function check(bytes memory forward, Pending memory pending) private pure {
        address found;
        if (pending.coinType == 60) found = forward.length < 32 ? address(0) : abi.decode(forward, (address));
        else if (forward.length >= 64) found = address(bytes20(abi.decode(forward, (bytes))));
        if (found != address(bytes20(pending.owner)))
            revert ReverseAddressMismatch(pending.primary, abi.encodePacked(found));
    }

    function here() private pure returns (string[] memory gateways) {
        gateways = new string[](1);
        gateways[0] = "x-batch-gateway:true";
    }

    /// For a name without a resolver, uses that of the nearest parent, if it supports names below its own (ENSIP-10).
    function ask(bytes memory name, bytes memory data, Pending memory pending, bytes4 next)
        private
        view
        returns (bytes memory, address)
    {
        uint256 offset;
        while (true) {
            pending.resolver = registry.resolver(nodeOf(name, offset));
            if (pending.resolver != address(0) || uint8(name[offset]) == 0) break;
            offset += 1 + uint8(name[offset]);
        }
        if (pending.resolver == address(0)) revert ResolverNotFound(name);
        bool isExtended = DevnetEnsResolver(pending.resolver).supportsInterface(0x9061b923);
        if (!isExtended && offset > 0) revert ResolverNotFound(name);
        if (!isExtended) return (call(data, pending, next), pending.resolver);
        bytes memory question = abi.encodeCall(DevnetOffchainResolver.resolve, (name, data));
        return read(call(question, pending, next), pending.resolver);
    }

    function read(bytes memory answer, address resolver) private pure returns (bytes memory, address) {
        return (abi.decode(answer, (bytes)), resolver);
    }

    function goOn(bytes calldata response, Pending memory pending, bytes4 next) private view returns (bytes memory) {
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures[0]) revert HttpError(500, "no answer");
        return call(abi.encodePacked(pending.callback, abi.encode(responses[0], pending.extraData)), pending, next);
    }

    /// Asks the resolver. An answer outside the chain is requested in a batch of one, and passed to `next`.
    function call(bytes memory data, Pending memory pending, bytes4 next) private view returns (bytes memory) {
        (bool success, bytes memory answer) = pending.resolver.staticcall(data);
        if (success) return answer;
        if (bytes4(answer) != OffchainLookup.selector) revert ResolverError(answer);
        bytes memory rest = new bytes(answer.length - 4);
        for (uint256 i = 0; i < rest.length; i++) rest[i] = answer[i + 4];
        BatchGateway.Query[] memory queries = new BatchGateway.Query[](1);
        (queries[0].sender, queries[0].urls, queries[0].data, pending.callback, pending.extraData) =
            abi.decode(rest, (address, string[], bytes, bytes4, bytes));
        if (queries[0].sender != pending.resolver) revert ResolverError(answer);
        bytes memory question = abi.encodeCall(BatchGateway.query, (queries));
        revert OffchainLookup(address(this), pending.gateways, question, next, abi.encode(pending));
    }

    function nodeOf(bytes memory dns, uint256 offset) private pure returns (bytes32) {
        if (offset >= dns.length) revert DNSDecodingFailed(dns);
        uint256 length = uint8(dns[offset]);
        if (length == 0) return 0;
        if (offset + 1 + length >= dns.length) revert DNSDecodingFailed(dns);
        bytes memory text = new bytes(length);
        for (uint256 i = 0; i < length; i++) text[i] = dns[offset + 1 + i];
        bytes32 label = keccak256(text);
        return keccak256(abi.encodePacked(nodeOf(dns, offset + 1 + length), label));
    }
}

library DevnetReverse {
    /// Of `addr.reverse`.
    bytes32 internal constant root = 0x91d1777781884d03a6757a803996e38de2a42967fb37eeaca72729271025a9e2;

    /// Of `reverse`.
    bytes32 internal constant reverse = 0xa097f6721ce401e757d1223a763fef49b8b5f90bb18567ddb86fd205dff71d34;
    /// ENSIP-19's coin type of all EVM chains. That of one chain has its id added (ENSIP-11).
    uint256 internal constant anyEvm = 0x80000000;

    function isEvm(uint256 coinType) internal pure returns (bool) {
        return coinType == 60 || (coinType >= anyEvm && coinType <= type(uint32).max);
    }

    /// Of the address's own name below `addr.reverse`, `default.reverse` or that of the coin type (ENSIP-19).
    function nodeOf(address owner, uint256 coinType) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(rootOf(coinType), labelOf(owner)));
    }

    function rootOf(uint256 coinType) internal pure returns (bytes32) {
        return coinType == 60 ? root : keccak256(abi.encodePacked(reverse, keccak256(labelOf(coinType))));
    }

    /// `default`, or the coin type as hexadecimal digits. For {rootOf}.
    function labelOf(uint256 coinType) internal pure returns (bytes memory digits) {
        if (coinType == anyEvm) return "default";
        uint256 length;
        for (uint256 rest = coinType; rest > 0; rest >>= 4) length++;
        digits = new bytes(length);
        bytes16 alphabet = "0123456789abcdef";
        for (uint256 i = length; i > 0; coinType >>= 4) digits[--i] = alphabet[coinType & 0xf];
    }

    /// The hash of the address as 40 lowercase hexadecimal digits.
    function labelOf(address owner) internal pure returns (bytes32) {
        bytes16 alphabet = "0123456789abcdef";
        bytes memory digits = new bytes(40);
        uint160 rest = uint160(owner);
        for (uint256 i = 40; i > 0; rest >>= 4) digits[--i] = alphabet[rest & 0xf];
        return keccak256(digits);
    }

    /// A name in DNS wire format: each label after its length.
    function encode(bytes memory name) internal pure returns (bytes memory dns) {
        dns = new bytes(name.length + 2);
        uint256 start;
        for (uint256 i = 0; i <= name.length; i++) {
            if (i < name.length && name[i] != ".") { dns[i + 1] = name[i]; continue; }
            dns[start] = bytes1(uint8(i - start));
            start = i + 1;
        }
    }

    /// EIP-137's namehash.
    function namehash(bytes memory name) internal pure returns (bytes32 node) {
        uint256 end = name.length;
        for (uint256 i = name.length; i > 0; i--) {
            if (name[i - 1] != "." && i != 1) continue;
            uint256 start = name[i - 1] == "." ? i : 0;
            bytes memory label = new bytes(end - start);
            for (uint256 j = 0; j < label.length; j++) label[j] = name[start + j];
            node = keccak256(abi.encodePacked(node, keccak256(label)));
            end = i - 1;
        }
    }
}

/// Deploys ENS with names below `.eth`. For the devnet only: any account may register and claim any name.
contract DevnetNames {
    bytes32 private constant eth = 0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae;

    DevnetEnsRegistry public immutable registry;
    DevnetEnsResolver public immutable resolver;
    DevnetUniversalResolver public immutable universalResolver;

    constructor() {
        registry = new DevnetEnsRegistry();
        resolver = new DevnetEnsResolver(registry);
        universalResolver = new DevnetUniversalResolver(registry);
        registry.setSubnodeRecord(0, keccak256("eth"), address(this), address(0), 0);
        registry.setSubnodeRecord(0, keccak256("reverse"), address(this), address(0), 0);
        bytes32 reverse = keccak256(abi.encodePacked(bytes32(0), keccak256("reverse")));
        registry.setSubnodeRecord(reverse, keccak256("addr"), address(this), address(0), 0);
    }

    /// `label` without `.eth`; empty `avatar`: no avatar.
    function register(string calldata label, address owner, string calldata avatar) external returns (bytes32 node) {
        bytes32 hash = keccak256(bytes(label));
        node = keccak256(abi.encodePacked(eth, hash));
        registry.setSubnodeRecord(eth, hash, owner, address(resolver), 0);
        resolver.setAddr(node, 60, abi.encodePacked(owner));
        if (bytes(avatar).length > 0) resolver.setText(node, "avatar", avatar);
    }

    /// `label` without `.eth`. The resolver also serves all names below it.
    function delegate(string calldata label, address resolver_) external {
        registry.setSubnodeRecord(eth, keccak256(bytes(label)), address(this), resolver_, 0);
    }

    /// Sets the primary name of `owner` on the chain, even if the name does not resolve to it. 60: Ethereum.
    function claim(address owner, uint256 coinType, string calldata name) external {
        bytes32 label = coinType == 60 ? keccak256("addr") : keccak256(DevnetReverse.labelOf(coinType));
        registry.setSubnodeRecord(DevnetReverse.reverse, label, address(this), address(0), 0);
        registry.setSubnodeRecord(
            DevnetReverse.rootOf(coinType), DevnetReverse.labelOf(owner), owner, address(resolver), 0
        );
        resolver.setName(DevnetReverse.nodeOf(owner, coinType), name);
    }

    /// `label` without `.eth`.
    function setAddress(string calldata label, uint256 coinType, address owner) external {
        resolver.setAddr(keccak256(abi.encodePacked(eth, keccak256(bytes(label)))), coinType, abi.encodePacked(owner));
    }
}
