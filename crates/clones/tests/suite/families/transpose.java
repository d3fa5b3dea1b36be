public static double[][] transpose(double[][] matrix) {
    int rows = matrix.length;
    int columns = matrix[0].length;
    double[][] result = new double[columns][rows];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            result[j][i] = matrix[i][j];
        }
    }
    return result;
}
// ---
public Matrix transposed() {
    Matrix t = new Matrix(n, m);
    double[][] c = t.getArray();
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            c[j][i] = a[i][j];
        }
    }
    return t;
}
// ---
static int[][] flip(int[][] in) {
    int[][] out = new int[in[0].length][];
    for (int c = 0; c < in[0].length; c++) {
        out[c] = new int[in.length];
        for (int r = 0; r < in.length; r++) {
            out[c][r] = in[r][c];
        }
    }
    return out;
}
