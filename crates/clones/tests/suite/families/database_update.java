public void deleteUser(int id) throws SQLException {
    Connection connection = null;
    PreparedStatement statement = null;
    try {
        connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        statement = connection.prepareStatement("DELETE FROM users WHERE id = ?");
        statement.setInt(1, id);
        statement.executeUpdate();
        connection.commit();
    } catch (SQLException e) {
        connection.rollback();
        throw e;
    } finally {
        if (statement != null) statement.close();
        if (connection != null) connection.close();
    }
}
// ---
public boolean updatePrice(Item item, double price) {
    Connection con = null;
    try {
        con = getConnection();
        con.setAutoCommit(false);
        PreparedStatement ps = con.prepareStatement("UPDATE item SET price = ? WHERE code = ?");
        ps.setDouble(1, price);
        ps.setString(2, item.getCode());
        int rows = ps.executeUpdate();
        if (rows != 1) {
            con.rollback();
            return false;
        }
        con.commit();
        ps.close();
        return true;
    } catch (SQLException ex) {
        try {
            con.rollback();
        } catch (SQLException e) {
            log.error("rollback failed", e);
        }
        return false;
    } finally {
        closeQuietly(con);
    }
}
// ---
public static void insertAll(Connection c, List<String> names) throws SQLException {
    boolean old = c.getAutoCommit();
    Statement st = null;
    try {
        c.setAutoCommit(false);
        st = c.createStatement();
        for (String name : names) {
            st.executeUpdate("INSERT INTO names VALUES ('" + name + "')");
        }
        c.commit();
    } catch (SQLException e) {
        c.rollback();
        throw e;
    } finally {
        if (st != null) st.close();
        c.setAutoCommit(old);
    }
}
// ---
public int execute(String sql, Object[] params) throws DaoException {
    Connection conn = null;
    PreparedStatement stmt = null;
    int affected = 0;
    try {
        conn = DriverManager.getConnection(url, user, password);
        conn.setAutoCommit(false);
        stmt = conn.prepareStatement(sql);
        for (int i = 0; i < params.length; i++) {
            stmt.setObject(i + 1, params[i]);
        }
        affected = stmt.executeUpdate();
        conn.commit();
    } catch (SQLException e) {
        if (conn != null) {
            try {
                conn.rollback();
            } catch (SQLException ex) {
                ex.printStackTrace();
            }
        }
        throw new DaoException(e);
    } finally {
        close(stmt);
        close(conn);
    }
    return affected;
}
