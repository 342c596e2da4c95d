// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IERC1155Receiver {
    function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes calldata data)
        external
        returns (bytes4);
}

/// An ERC-1155 whose metadata are `data:` URIs. For the devnet only: any account may mint.
contract DevnetItems {
    string public constant name = "Devnet Items";
    string public constant symbol = "DVITM";
    mapping(address => mapping(uint256 id => uint256)) private balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);

    error NotAllowed(address caller);
    error InsufficientBalance(address owner, uint256 id, uint256 balance, uint256 needed);
    error InvalidReceiver(address receiver);

    /// Each of `holders` gets one sword and five potions.
    constructor(address[] memory holders) {
        uint256[] memory ids = new uint256[](2);
        uint256[] memory values = new uint256[](2);
        (ids[0], ids[1], values[0], values[1]) = (1, 2, 1, 5);
        for (uint256 i = 0; i < holders.length; i++) {
            balances[holders[i]][1] = 1;
            balances[holders[i]][2] = 5;
            emit TransferBatch(msg.sender, address(0), holders[i], ids, values);
        }
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function balanceOf(address owner, uint256 id) public view returns (uint256) {
        return balances[owner][id];
    }

    function balanceOfBatch(address[] calldata owners, uint256[] calldata ids) external view returns (uint256[] memory found) {
        found = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) found[i] = balanceOf(owners[i], ids[i]);
    }

    function uri(uint256 id) external pure returns (string memory) {
        (string memory called, string memory colour) = id == 1 ? ("Sword", "steelblue") : ("Potion", "seagreen");
        return string.concat(
            'data:application/json,{"name":"Devnet ',
            called,
            '","description":"An item of the Postern devnet.","image":"data:image/svg+xml,',
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' fill='",
            colour,
            "'/></svg>\"}"
        );
    }

    function mint(address to, uint256 id, uint256 value) external {
        balances[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        if (from != msg.sender && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender);
        if (to == address(0)) revert InvalidReceiver(to);
        uint256 balance = balances[from][id];
        if (balance < value) revert InsufficientBalance(from, id, balance, value);
        balances[from][id] = balance - value;
        balances[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
        if (to.code.length == 0) return;
        bytes4 answer = IERC1155Receiver(to).onERC1155Received(msg.sender, from, id, value, data);
        if (answer != IERC1155Receiver.onERC1155Received.selector) revert InvalidReceiver(to);
    }
}
